/** Titles and descriptions for the tab, search engines and previews of shared links. A page that is not here has its own in the file of its texts. */
export const meta = {
  home: {
    title: 'Mayfly: temporary email that lives ten minutes',
    description:
      'A free, anonymous email address, ready at once. Receive mail and attachments for ten minutes, then address and messages are destroyed. No registration.',
  },
  keywords: 'temporary email, disposable email, throwaway email, temp mail, anonymous email, 10 minute mail',
  socialAlt: 'A mayfly in thin lines over still water at dusk',
}

export type MetaTexts = typeof meta
