/** The first screen of the home page. The lower sections are in home-sections.ts, fetched when they come near. */
export const home = {
  headline: 'Mail that lives ten minutes.',
  subheadline: 'A free address, yours at once. It receives anything, tells no one who you are, and is gone.',
  benefits: {
    label: 'What you get',
    anonymous: { title: 'Anonymous', text: 'No registration, no name, no trace of you.' },
    autoDestroy: { title: 'Auto-destroy', text: 'Address and mail are destroyed after ten minutes.' },
    instant: { title: 'Instant', text: 'Ready when the page opens. Mail appears as it lands.' },
  },
  generator: 'Your temporary address',
}

export type HomeTexts = typeof home
