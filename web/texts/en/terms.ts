import type { LegalSection } from '../legal-section.ts'

/** The terms of service. */
export const terms = {
  meta: {
    title: 'Terms: Mayfly',
    description: 'What this service does, what it does not promise, and what it is not for.',
  },
  heading: 'Terms',
  runBy: (p: { operator: string }) => `${p.operator} runs this service. By using it you agree to this page.`,
  unnamed: 'By using this site you agree to these terms. Questions:',
  sections: [
    {
      title: 'What you get',
      points: [
        'An address that receives mail for ten minutes, or for 24 hours with an account. It cannot send.',
        'It is free, and it comes as it is: nobody promises that every message arrives or that the service is always there.',
        'What has ended is gone. Nobody can bring an address or its mail back, us included.',
      ],
    },
    {
      title: 'What it is not for',
      points: [
        'Nothing you need to get back into later: not your bank, not a public office, not an account you want to keep.',
        'Nothing unlawful: no fraud, no harassment, no getting around a ban.',
        'No load beyond the limits shown. Scripts and tests have an API with limits of its own.',
      ],
    },
    {
      title: 'The mail you receive',
      points: [
        'It comes from strangers. Nobody here reads it or searches it for viruses: open attachments with care.',
        'Whoever holds the link or the QR code of your inbox can read it.',
      ],
    },
    {
      title: 'If something is wrong',
      points: [
        'Addresses and networks that are abused are blocked.',
        'The program behind this site is free software under the MIT licence. Whoever runs this site is responsible for it, not the authors of the program.',
      ],
    },
  ] as LegalSection[],
  changed: 'Last changed on 22 November 2026.',
  ask: 'Questions, or abuse to report:',
}

export type TermsTexts = typeof terms
