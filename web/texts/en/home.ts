/** Headline and benefits. They are in the served page, so a first visit does not fetch them. */
export const home = {
  headline: 'Mail that lives ten minutes.',
  subheadline: 'A free temporary email address, yours at once.',
  /** Its second sentence, left out on a phone. */
  subheadlineMore: 'It receives mail, reveals nothing about you, then disappears.',
  benefits: {
    label: 'What you get',
    anonymous: { title: 'Anonymous', text: 'No sign-up, no\u00a0name, no\u00a0password.' },
    autoDestroy: { title: 'Auto-destroy', text: 'Address and mail are destroyed after ten minutes.' },
    instant: { title: 'Instant', text: 'Ready when the page opens. Mail appears as it lands.' },
  },
}

export type HomeTexts = typeof home
