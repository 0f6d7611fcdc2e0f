/** What the core takes from server/mime/, in one place. */

export { safeFilename } from './headers/filename.ts'
export { ccOf, dateOf, decodedHeaders, firstHeader, fromOf, replyToOf, subjectOf, toOf } from './headers/headers.ts'
export { defaultMimeLimits } from './limits.ts'
export { attachmentsOf, decodeAttachment } from './structure/attachments.ts'
export { bodyOf, type MessageBody } from './structure/body.ts'
export { htmlToText } from './text/html-text.ts'
export { textPrefix } from './text/preview.ts'
