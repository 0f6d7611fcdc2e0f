/** Descriptions of path, query and header parameters. A name means the same everywhere in the API. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  action: 'What the solved challenge is for.',
  after: 'Only what arrived after this: the `cursor` of a message or a list, or an ISO 8601 time.',
  before: 'Only what arrived before the message of this `cursor`: the next page.',
  body: 'In the text of the message, or in its HTML where it has no text; upper and lower case are the same.',
  capability: 'What `createAttachmentLink` gave.',
  cursor: 'The `nextCursor` of the page before.',
  from: 'In the name or address of the sender; upper and lower case are the same.',
  id: 'As the list or the creation gave it.',
  index: 'The `index` of the attachment in its message.',
  limit: 'How many at most.',
  slug: 'The last part of the article’s address.',
  subject: 'In the subject; upper and lower case are the same.',
  timeoutSeconds: 'How long to wait before the answer is 204.',
  to: 'In an address of To or Cc, e.g. `+signup@`; upper and lower case are the same.',
  view: '`1` lets the browser show a PDF instead of saving it; every other file is saved.',
  'Idempotency-Key': 'A random text of 16 to 255 characters. The same request sent again with it gets the same mailbox, not another one.',
  'Last-Event-ID': 'The `id` of the last event that was read: the stream continues after it.',
}

/** @throws TypeError for a parameter without a description. */
export function describeParameter(name: string): string {
  const description = DESCRIPTIONS[name]
  if (description === undefined) throw new TypeError(`the parameter ${name} has no description in server/http/openapi/parameters.ts`)
  return description
}
