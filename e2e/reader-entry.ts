/** The reader's own parts, for tests that show mail without the page around it. Bundled by reader-bundle.ts. */
export { BASE_CSS, writeMail } from '#web/features/message/frame/frame-document.ts'
export { sanitizeMail } from '#web/features/message/sanitize/sanitize.ts'
