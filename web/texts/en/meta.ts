/** Title and description of the home page. Other pages have theirs in the file of their texts. */
export const meta = {
  home: {
    title: 'Mayfly: temporary email that lives ten minutes',
    description:
      'A free, anonymous email address, ready at once. Receive mail and attachments for ten minutes, then address and messages are destroyed. No registration.',
  },
}

export type MetaTexts = typeof meta
