import type { Authentication, SenderVerdict, UnsignedPart } from '#contract/mailbox.ts'
import type { WarningKind } from '#reader/warnings/warnings.ts'

const ANYONE =
  'Anyone could have written this name. If you asked for this message, carry on. If not, do not open its links or enter a password.'

const UNSIGNED: Readonly<Record<UnsignedPart, string>> = {
  body: 'end of the text',
  from: 'sender',
  subject: 'subject',
  date: 'date',
  to: 'recipient',
  'content-type': 'kind of content',
}

/** The words for a verdict: in the line of the sender, in a sentence, and what to do. */
type VerdictTexts = {
  readonly word: (p: { domain: string }) => string
  readonly sentence: (p: { domain: string }) => string
  readonly explained?: string
}

const verdict: Readonly<Record<SenderVerdict['verdictReason'], VerdictTexts>> = {
  signed: { word: p => `signed by ${p.domain}`, sentence: p => `Signed by ${p.domain}` },
  server: { word: p => `from a server of ${p.domain}`, sentence: p => `Sent from a server of ${p.domain}` },
  signed_in_part: {
    word: () => 'signed in part',
    sentence: p => `${p.domain} signed only a part of this message`,
    explained: 'Anyone could have written or changed the rest, which the last line names. Do not rely on it.',
  },
  signed_by_other: {
    word: () => 'unverified',
    sentence: p => `Signed by ${p.domain}, not by the sender’s domain`,
    explained: ANYONE,
  },
  server_of_other: {
    word: () => 'unverified',
    sentence: p => `Sent from a server of ${p.domain}, not of the sender’s domain`,
    explained: ANYONE,
  },
  several_senders: {
    word: () => 'unverified',
    sentence: () => 'This message names several senders',
    explained: `Only one of them is shown, and nobody vouches for it. ${ANYONE}`,
  },
  unverified: { word: () => 'unverified', sentence: () => 'The sender could not be verified', explained: ANYONE },
  unchecked: { word: () => 'checking…', sentence: () => 'Checking the sender…' },
  policy: {
    word: () => 'check failed',
    sentence: p => `Probably not from ${p.domain}: the check of the sender failed`,
    explained:
      'This message fails the checks that the owner of this domain asks for. Do not open its links or attachments, and do not enter a password.',
  },
  imitation: {
    word: () => 'check the sender',
    sentence: () => 'The sender imitates another',
    explained: 'Do not open its links or attachments, and do not enter a password.',
  },
}

/** The mail itself: who sent it, what it holds, how it is shown. Fetched with the dialog. */
export const message = {
  loading: 'Opening the message',
  failed: 'Could not open the message. Please try again.',
  busy: 'Your network is opening too many messages right now. Try again in a few seconds.',
  gone: 'This message no longer exists.',
  destroyed: 'Gone. Nothing was kept.',
  retry: 'Try again',
  noSubject: '(no subject)',
  noSender: 'Unknown sender',
  from: 'From',
  sentVia: 'Sent via',
  details: 'Details',
  deliveryReport: 'A delivery report: it has no sender of its own.',
  to: 'To',
  cc: 'Copy',
  envelopeTo: 'Delivered to',
  replyTo: 'Reply to',
  date: 'Sent',
  received: 'Received',
  verdict,
  listed: (p: { lists: string }) => `The server that sent this is on a blocklist: ${p.lists}`,
  checks: ({ spf, dkim, dmarc, arc, policy, policyDomain, unsigned = [] }: Authentication) => {
    const asks = policy ? ` (p=${policy}${policyDomain ? ` of ${policyDomain}` : ''})` : ''
    const gaps = unsigned.length > 0 ? ` (unsigned: ${unsigned.map(part => UNSIGNED[part]).join(', ')})` : ''
    return `SPF ${spf} · DKIM ${dkim}${gaps} · DMARC ${dmarc}${asks} · ARC ${arc}`
  },
  senderWarning: {
    otherAddress: (p: { name: string }) => `The name shows another address: this message came from ${p.name}`,
    lookalike: (p: { name: string }) => `${p.name} imitates another name with foreign letters`,
    lookalikeName: (p: { name: string }) => `The name imitates another with foreign letters: this message came from ${p.name}`,
    brand: (p: { name: string; brand: string }) => `The name says ${p.brand}, but this message came from ${p.name}`,
    brandAlone: (p: { brand: string }) => `The name says ${p.brand}, but this message has no sender address`,
  },
  freeReplyTo: (p: { address: string }) => `Replies go to a free mailbox, not to the sender: ${p.address}`,
  subjectWarning: 'The subject hides foreign letters that look like ordinary ones',
  list: {
    title: 'Mailing list',
    note: 'Unsubscribing does little here: this address is gone soon, and the sender would learn that someone reads this inbox.',
    leave: (p: { host: string }) => `Unsubscribe at ${p.host}`,
    leaveByMail: (p: { address: string }) => `The list takes requests at ${p.address}.`,
  },
  invitation: {
    label: 'Invitation',
    add: 'Add to calendar',
    untitled: 'Untitled event',
    cancelled: 'Cancelled',
    repeated: 'Repeats',
    allDay: 'all day',
    elsewhere: (p: { zone: string }) => `time of ${p.zone}`,
    noZone: 'local time',
  },
  codes: 'Codes in this message',
  copyFirstCode: 'Copy code',
  links: 'Confirmation links',
  openLink: (p: { host: string }) => `Open ${p.host}`,
  copyLink: 'Copy link',
  partial: 'Part of this message could not be shown. The raw source has all of it.',
  unreadable: 'This message could not be read as an email. Here is all of it as it arrived.',
  views: {
    label: 'How to show the message',
    simple: 'Simple',
    layout: 'Original',
    text: 'Text',
    headers: 'Headers',
    raw: 'Source',
    check: 'Check',
  },
  check: {
    title: 'Check this mail',
    note: 'For whoever sends this mail: what mail programs make of it. Nothing was requested, no link and no image.',
    partOnly: 'This message is very long: only its beginning was checked.',
    problems: {
      title: 'To fix',
      none: 'Nothing was found.',
      link_broken: 'A link does not work',
      image_broken: (p: { count: number }) =>
        p.count === 1 ? '1 image names a part that the mail does not have' : `${p.count} images name parts that the mail does not have`,
      image_without_alt: (p: { count: number }) =>
        p.count === 1 ? '1 image has no alternative text' : `${p.count} images have no alternative text`,
      images_heavy: (p: { size: string }) => `The images weigh ${p.size}`,
      html_clipped: (p: { size: string }) => `The HTML has ${p.size}: Gmail shows only its beginning`,
      text_missing: 'There is no plain text beside the HTML',
      list_unsubscribe_missing: 'This looks like bulk mail and has no List-Unsubscribe header',
      dark_mode_unstated: 'Nothing says “color-scheme”: programs may invert the colours in dark mode',
    },
    /** Faults of the mail, each with what to do. */
    warnings: {
      bare_line_feed: 'Lines end in LF alone, which some servers refuse: end each with CR LF',
      bare_carriage_return: 'A line has a CR in its middle: send CR only before LF',
      header_line_too_long: 'A header line has more than 998 characters: fold it',
      line_too_long: 'A line has more than 998 characters, which servers may cut: encode the text',
      raw_8bit_header: 'A header is neither ASCII nor encoded: write it as encoded words',
      encoded_word_too_long: 'An encoded word has more than 75 characters: write several',
      encoded_word_cut: 'An encoded word ends within a character: end each after a whole one',
      bcc_visible: 'Every recipient can read who is in Bcc: name them in the envelope only',
      from_missing: 'Nobody is named as the sender: add From',
      date_missing: 'There is no date: add Date',
      message_id_missing: 'The mail has no name of its own: add Message-ID',
      mime_version_missing: 'Nothing says that this is MIME: add MIME-Version: 1.0',
      multipart_encoded: 'A multipart or an attached mail is encoded as a whole: encode the parts in it',
      filename_in_one_place: 'A file is named in only one of two headers: name it in both',
      duplicate_header: 'A header comes twice: send it once',
      header_garbage: 'The header has a line without a name: begin each with a name and a colon',
      header_without_end: 'Nothing ends the header: send an empty line after it',
      missing_boundary: 'A multipart has no boundary: name one',
      unclosed_boundary: 'A multipart has no end: close it with its boundary',
      unknown_charset: 'The charset is unknown: use UTF-8',
      charset_mismatch: 'The text is not in the charset that it names: name the right one',
      parts_max: 'There are too many parts: send fewer',
      depth_max: 'Parts are nested too deeply: nest fewer',
      header_bytes_max: 'The header is too long: shorten it',
      header_fields_max: 'There are too many headers: send fewer',
      field_bytes_max: 'A header is too long: shorten it',
      text_truncated: 'The text is too long to be shown whole: shorten it',
      not_parsed: 'This cannot be read as a mail',
    } satisfies Record<WarningKind, string>,
    unsupported: {
      title: 'HTML and CSS that some programs do not support',
      none: 'Every program that is known here has what this mail uses.',
    },
    links: (p: { count: number }) => (p.count === 1 ? '1 link' : `${p.count} links`),
    images: (p: { count: number }) => (p.count === 1 ? '1 image' : `${p.count} images`),
    remote: 'remote',
    missing: 'not in the mail',
    withoutAlt: 'no alternative text',
    source: 'Data: caniemail.com, MIT License, © 2019 HTeuMeuLeu. In a test, message.check() also tries links and images.',
  },
  frame: 'The message',
  empty: 'This message has no text.',
  encrypted: 'This message is encrypted. Only someone with the recipient’s key can read it: save it and open it in your mail program.',
  blocked: (p: { images: number; pixels: number }) =>
    [
      p.images > 0 && (p.images === 1 ? '1 remote image' : `${p.images} remote images`),
      p.pixels > 0 && (p.pixels === 1 ? '1 tracking pixel' : `${p.pixels} tracking pixels`),
    ]
      .filter(Boolean)
      .join(', '),
  blockedState: (p: { count: string }) => `Blocked: ${p.count}`,
  showImages: 'Show images',
  alwaysShow: 'Always for this sender',
  askAgain: 'Ask again next time',
  showImagesCost: 'The sender would see that you opened it, and your IP.',
  imagesShown: (p: { images: number }) =>
    p.images === 1
      ? '1 remote image is shown: its server learns that you opened this, and your IP address.'
      : `${p.images} remote images are shown: their servers learn that you opened this, and your IP address.`,
  noneShown: 'None of its images is shown here.',
  pixelsStay: (p: { pixels: number }) => (p.pixels === 1 ? '1 tracking pixel stays blocked.' : `${p.pixels} tracking pixels stay blocked.`),
  heavyStyles: {
    some: 'Some of its styles are too heavy and are left out.',
    all: 'Its styles are too heavy and are left out.',
  },
  shownLight: 'Shown in light colours.',
  shownDark: 'Shown in its own dark colours.',
  showLight: 'Show light',
  showDark: 'Show dark',
  zoom: 'Full size',
  fitWidth: 'Fit to width',
  longMessage: 'This is the beginning of a very long message.',
  showWhole: 'Show all of it',
  flagged: {
    title: (p: { count: number }) => (p.count === 1 ? '1 link is not what it seems' : `${p.count} links are not what they seem`),
    mismatch: (p: { host: string }) => `A link that names another site opens ${p.host}`,
    lookalike: (p: { host: string }) => `${p.host} imitates another name with foreign letters`,
    credentials: (p: { host: string }) => `A link that looks like another site opens ${p.host}`,
  },
  target: (p: { url: string }) => `Opens ${p.url}`,
  quoted: (p: { lines: number }) => (p.lines === 1 ? '1 quoted line' : `${p.lines} quoted lines`),
  quotedText: 'Quoted text',
  picture: 'Image:',
  attachments: (p: { count: number }) => (p.count === 1 ? '1 attachment' : `${p.count} attachments`),
  download: 'Download',
  downloadAll: 'Download all',
  previous: 'Previous message',
  next: 'Next message',
  previewThis: (p: { filename: string }) => `Preview ${p.filename}`,
  openThis: (p: { filename: string }) => `Open ${p.filename} in a new tab`,
  closePreview: 'Close preview',
  noPreview: 'No preview',
  noPreviewText: 'This file cannot be shown here. Download it to open it.',
  downloadFailed: 'Download failed',
  downloadFailedText: 'Could not download the attachment. Please try again.',
  downloadStarted: 'Download started',
  downloading: (p: { filename: string }) => `Downloading ${p.filename}.`,
  kind: { image: 'Image', video: 'Video', pdf: 'PDF', spreadsheet: 'Spreadsheet', archive: 'Archive', text: 'Text', other: 'File' },
  report: {
    kinds: {
      failed: 'A mail could not be delivered',
      delayed: 'A mail has not been delivered yet',
      delivered: 'A mail was delivered',
      read: 'A mail was shown to its recipient',
      deleted: 'A mail was deleted before it was shown',
      processed: 'A mail was processed',
      complaint: 'Somebody complained about a mail',
    },
    labels: {
      Subject: 'Subject',
      Date: 'Sent',
      'Original-Recipient': 'Original recipient',
      'Final-Recipient': 'Recipient',
      Status: 'Status',
      'Diagnostic-Code': 'Reason',
      'Remote-MTA': 'Answer of',
      'Reporting-MTA': 'Reported by',
      'Arrival-Date': 'Received there',
      'Last-Attempt-Date': 'Last attempt',
      'Will-Retry-Until': 'Tried again until',
      'Reporting-UA': 'Reported by',
      Error: 'Reason',
      Failure: 'Reason',
      Warning: 'Note',
      'Feedback-Type': 'Kind',
      'User-Agent': 'Reported by',
      'Original-Mail-From': 'Sender',
      'Original-Rcpt-To': 'Recipient',
      'Source-IP': 'Sent from',
      'Reported-Domain': 'Domain',
      'Reported-URI': 'Link',
      Incidents: 'Mails',
    } as Readonly<Record<string, string>>,
  },
  more: 'More actions',
  downloadEml: 'Download as .eml',
  ownWindow: 'Open in its own window',
  print: 'Print',
  delete: 'Delete message',
  rawTooLarge: (p: { size: string }) => `The first part of ${p.size}. Download the .eml file for all of it.`,
}

export type MessageTexts = typeof message
