/** Headline and benefits. They are in the served page, so a first visit does not fetch them. */
export const home = {
  headline: 'Mail that lives %lifetime%.',
  subheadline: 'A free temporary email address, yours at once.',
  /** Its second sentence, left out on a phone. */
  subheadlineMore: 'It receives mail, reveals nothing about you, then disappears.',
  benefits: {
    label: 'What you get',
    anonymous: { title: 'Anonymous', text: 'No sign-up, no\u00a0name, no\u00a0password.' },
    autoDestroy: { title: 'Auto-destroy', text: 'Address and mail are destroyed after %lifetime%.' },
    instant: { title: 'Instant', text: 'Ready when the page opens. Mail appears as it lands.' },
  },
}

/** How it works, use cases, questions and the last call to action of the home page. */
export const homeSections = {
  howItWorks: {
    title: 'How it works',
    intro: 'Four steps, none of them yours to worry about.',
    steps: [
      { title: 'Generated', text: 'An address is made for you as the page opens. Nothing to fill in.' },
      { title: 'Use anywhere', text: 'Copy it into any form that asks for an email address.' },
      { title: 'Receive instantly', text: 'Mail appears here the moment it arrives, attachments included.' },
      { title: 'Auto-delete', text: 'After %lifetime% the address and everything it received are destroyed.' },
    ],
  },
  useCases: {
    title: 'What people use it for',
    intro: 'Whenever a form wants your address more than you want its mail.',
    cases: [
      { title: 'Sign-ups', text: 'Try a service before you trust it with your real address.' },
      { title: 'Downloads', text: 'Get the white paper without the newsletter that follows it.' },
      { title: 'Testing', text: 'Check your own sign-up messages with a fresh address each time.' },
      { title: 'Online shopping', text: 'Take the welcome discount and leave the daily offers behind.' },
      { title: 'Content access', text: 'Read the article that hides behind an email form.' },
      { title: 'Public Wi-Fi', text: 'Log in at the café or the airport without leaving your address there.' },
    ],
  },
  faq: {
    title: 'Questions and answers',
    intro: 'What people ask before they trust an address that will not be there tomorrow.',
    items: [
      {
        question: 'How long does my address last?',
        answer:
          'It lives %lifetime%, counted down on the page. Then the address is destroyed together with every message it received. The time cannot be extended, but you can generate a new address whenever you like.',
      },
      {
        question: 'Is it free, and is there a limit?',
        answer:
          'It is free, without registration, and you may use as many addresses as you need. To keep robots out, one device can generate five in five minutes. An address holds %messagesMax% messages or %quotaBytes%.',
      },
      {
        question: 'Who can read my mail?',
        answer:
          'Whoever holds the key to your address: your browser, and any device on which you open the inbox by its link or QR code. Every message is encrypted for that key before it is stored, and we keep no copy of the key. A copy of our database would show no sender, no subject and no text. A Pro address is different: our server keeps its key, itself encrypted, so that your other devices can open it. So never pass the link on, and remember that the sender has the message too.',
      },
      {
        question: 'Can I receive attachments?',
        answer:
          'Yes, up to %messageBytesMax% a message. They are always downloaded, never opened on the page, and they are destroyed with the address: save what you want to keep.',
      },
      {
        question: 'Can I send mail or reply?',
        answer:
          'No. The address only receives. That keeps it from being abused for spam, and it keeps its good name with the sites you use it on.',
      },
      {
        question: 'My mail has not arrived, or I deleted the address. What can I do?',
        answer:
          'Most mail is here within seconds; if it is not, ask the site to send it again, and check that the address was copied whole. What has been destroyed stays destroyed: nobody can bring back an address or a message, and that includes us. So never use it for a bank, for work or for an account you want to keep.',
      },
      {
        question: 'What does a Pro account add?',
        answer:
          'Addresses that live %proLifetime% instead of %lifetime%, up to ten of them at once, names that you choose, and the same addresses on every device you sign in on. It takes an email address and a password, and our server keeps the key to that mail.',
      },
      {
        question: 'Which languages does Mayfly speak?',
        answer: 'English and Spanish; choose in the menu at the top. The mail you receive may be in any language and any alphabet.',
      },
    ],
  },
  callToAction: {
    /** While the page loads or an address is being made; also the served text. */
    coming: { title: 'Mail for %lifetime%, then nothing.', text: 'Your address is made at the top of this page. Nothing to fill in.' },
    live: {
      title: 'Your address is waiting.',
      text: (p: { time: string }) => `It lives for another ${p.time}, and its mail appears by itself.`,
    },
    ended: { title: 'Your address is gone.', text: 'Nothing was kept. Make another whenever you need one.' },
    /** After the visitor deleted it, or when none could be made. */
    none: { title: 'No address right now.', text: 'Make one whenever you need it.' },
    button: 'Go to my inbox',
    generate: 'Generate a new address',
  },
}
