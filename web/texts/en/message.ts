/** The mail itself: who sent it, what it holds, how it is shown. Fetched with the dialog. */
export const message = {
  loading: 'Opening the message',
  failed: 'Could not open the message. Please try again.',
  gone: 'This message no longer exists.',
  retry: 'Try again',
  noSubject: '(no subject)',
  noSender: 'Unknown sender',
  from: 'From',
  sentBy: (p: { address: string }) => `Handed in by ${p.address}`,
  deliveryReport: 'A delivery report: it has no sender of its own.',
  to: 'To',
  cc: 'Copy',
  replyTo: 'Reply to',
  date: 'Sent',
  received: 'Received',
  verdict: {
    signed: (p: { domain: string }) => `Signed by ${p.domain}`,
    server: (p: { domain: string }) => `Sent from a server of ${p.domain}`,
    unverified: 'The sender could not be verified',
    forged: (p: { domain: string }) => `Probably not from ${p.domain}: the check of the sender failed`,
    pending: 'Checking the sender…',
    details: (p: { spf: string; dkim: string; dmarc: string; arc: string }) =>
      `SPF ${p.spf} · DKIM ${p.dkim} · DMARC ${p.dmarc} · ARC ${p.arc}`,
  },
  senderWarning: {
    otherAddress: (p: { name: string }) => `The name shows another address: this message came from ${p.name}`,
    lookalike: (p: { name: string }) => `${p.name} imitates another name with foreign letters`,
  },
  codes: 'Codes in this message',
  copyCode: (p: { code: string }) => `Copy code ${p.code}`,
  copyFirstCode: 'Copy code',
  links: 'Confirmation links',
  openLink: (p: { host: string }) => `Open ${p.host}`,
  copyLink: 'Copy link',
  partial: 'Part of this message could not be shown. The raw source has all of it.',
  unreadable: 'This message could not be read as mail. Here are its bytes.',
  views: {
    label: 'How to show the message',
    simple: 'Simple',
    layout: 'Original layout',
    text: 'Text',
    headers: 'Headers',
    raw: 'Source',
  },
  frame: 'The message',
  empty: 'This message has no text.',
  hasLayout: 'Images and tables are left out in this view.',
  showLayout: 'Original layout',
  blocked: (p: { images: number; pixels: number }) =>
    [
      p.images > 0 && (p.images === 1 ? '1 remote image' : `${p.images} remote images`),
      p.pixels > 0 && (p.pixels === 1 ? '1 tracking pixel' : `${p.pixels} tracking pixels`),
    ]
      .filter(Boolean)
      .join(', '),
  blockedState: (p: { count: string }) => `Blocked: ${p.count}`,
  showImages: 'Show images',
  imagesShown: (p: { images: number }) =>
    p.images === 1
      ? '1 remote image is shown: its server sees that you look.'
      : `${p.images} remote images are shown: their servers see that you look.`,
  pixelsStay: (p: { pixels: number }) => (p.pixels === 1 ? '1 tracking pixel stays blocked.' : `${p.pixels} tracking pixels stay blocked.`),
  flagged: {
    title: (p: { count: number }) => (p.count === 1 ? '1 link is not what it seems' : `${p.count} links are not what they seem`),
    mismatch: (p: { host: string }) => `A link that names another site opens ${p.host}`,
    lookalike: (p: { host: string }) => `${p.host} imitates another name with foreign letters`,
    credentials: (p: { host: string }) => `A link that looks like another site opens ${p.host}`,
  },
  target: (p: { url: string }) => `Opens ${p.url}`,
  quoted: (p: { lines: number }) => (p.lines === 1 ? '1 quoted line' : `${p.lines} quoted lines`),
  quotedText: 'Quoted text',
  attachments: (p: { count: number }) => (p.count === 1 ? '1 attachment' : `${p.count} attachments`),
  download: 'Download',
  downloadThis: (p: { filename: string }) => `Download ${p.filename}`,
  downloadFailed: 'Download failed',
  downloadFailedText: 'Could not download the attachment. Please try again.',
  downloadStarted: 'Download started',
  downloading: (p: { filename: string }) => `Downloading ${p.filename}.`,
  embedded: 'shown in the message',
  kind: { image: 'Image', video: 'Video', pdf: 'PDF', spreadsheet: 'Spreadsheet', archive: 'Archive', text: 'Text', other: 'File' },
  more: 'More actions',
  downloadEml: 'Download as .eml',
  print: 'Print',
  remove: 'Delete message',
  rawTooLarge: (p: { size: string }) => `The first part of ${p.size}. Download the .eml file for all of it.`,
}

export type MessageTexts = typeof message
