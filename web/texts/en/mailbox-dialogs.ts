/** The dialogs of the address card; fetched with the first of them. */
export const mailboxDialogs = {
  qr: {
    title: 'Open this inbox on your phone',
    text: 'Scan it with the phone’s camera. Address, mail and remaining time are the same on both.',
    otherTitle: 'Open on another device',
    otherText: 'Or scan this with the other device. Address, mail and remaining time are the same on both.',
    secret: 'Whoever has this link or code can read the mail, until the address is gone.',
    alt: 'QR code that opens this inbox',
    copyLink: 'Copy link',
    share: 'Share link',
  },
  keys: {
    title: 'Keyboard shortcuts',
    copy: 'Copy the address',
    generate: 'Generate a new address',
    undo: 'Undo the last change, for six seconds',
    refresh: 'Refresh the inbox',
    next: 'Next message',
    previous: 'Previous message',
    open: 'Open the message',
    copyCode: 'Copy the newest code',
    close: 'Close what is open',
    help: 'Show this list',
    enabled: 'Use single-key shortcuts',
    or: 'or',
  },
  linkQuestion: {
    title: 'Open the inbox from the link?',
    text: (p: { here: string; linked: string }) =>
      `You have ${p.here} open here, and the link opens ${p.linked}. The other one stays a press away.`,
    openLink: 'Open the link’s inbox',
    stay: 'Stay here',
  },
}

export type MailboxDialogTexts = typeof mailboxDialogs
