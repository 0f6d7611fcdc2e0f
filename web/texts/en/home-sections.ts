/** How it works, use cases, questions and the last call to action of the home page. */
export const homeSections = {
  howItWorks: {
    title: 'How it works',
    intro: 'Four steps, none of them yours to worry about.',
    steps: [
      { title: 'Generated', text: 'An address is made for you as the page opens. Nothing to fill in.' },
      { title: 'Use anywhere', text: 'Copy it into any form that asks for an email address.' },
      { title: 'Receive instantly', text: 'Mail appears here the moment it arrives, attachments included.' },
      { title: 'Auto-delete', text: 'After ten minutes the address and everything it received are destroyed.' },
    ],
  },
  useCases: {
    title: 'What people use it for',
    intro: 'Whenever a form wants your address more than you want its mail.',
    cases: [
      { title: 'Sign-ups', text: 'Try a service before you trust it with your real address.' },
      { title: 'Downloads', text: 'Get the white paper without the newsletter that follows it.' },
      { title: 'Testing', text: 'Check your own sign-up mails with a fresh address each time.' },
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
        question: 'What is a temporary email address?',
        answer:
          'A real address that receives real mail, made for one purpose and a short time. You use it where you do not want to give your own, and it disappears by itself.',
      },
      {
        question: 'How long does my address last?',
        answer:
          'Ten minutes, counted down on the page. Then the address is destroyed together with every message it received. The time cannot be extended, but you can generate a new address whenever you like.',
      },
      {
        question: 'Is it free?',
        answer: 'Yes. Generate as many addresses as you need, without registration and without giving us anything about yourself.',
      },
      {
        question: 'Can I send mail from it?',
        answer:
          'No. The address only receives. That keeps it from being abused for spam, and it keeps its good name with the sites you use it on.',
      },
      {
        question: 'Can I receive attachments?',
        answer: 'Yes, up to 25 MB a message. Attachments are destroyed with the address, so download what you want to keep.',
      },
      {
        question: 'Who can read my mail?',
        answer:
          'Only the browser that holds the key to your address. Every message is encrypted for that key before it is stored, and we keep no copy of the key.',
      },
      {
        question: 'Can I get a deleted address or message back?',
        answer: 'No. Once it is gone, the key that could open it is gone too. Nobody can bring it back, including us.',
      },
      {
        question: 'When should I not use it?',
        answer:
          'For anything you will need later: bank, work, government, an account you want to keep. Whoever has lost the address cannot reset the password.',
      },
    ],
  },
  callToAction: {
    title: 'Your address is waiting.',
    text: 'It was made when you opened this page.',
    button: 'Go to my inbox',
  },
}

export type HomeSectionsTexts = typeof homeSections
