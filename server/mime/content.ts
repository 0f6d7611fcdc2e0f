/** What the core takes from server/mime/, in one place. */
export { attachmentsOf, decodeAttachment } from './attachments.ts'
export { bodyOf, type MessageBody } from './body.ts'
export { safeFilename } from './filename.ts'
export { ccOf, dateOf, decodedHeaders, firstHeader, fromOf, replyToOf, subjectOf, toOf } from './headers.ts'
export { htmlToText } from './html-text.ts'
export { defaultMimeLimits } from './limits.ts'
export { textPrefix } from './preview.ts'
