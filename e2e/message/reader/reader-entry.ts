/** The reader's own parts, for tests that show mail without the page around it. Bundled by reader-bundle.ts. */
export { faintTexts } from '#web/features/message/frame/contrast.ts'
export { BASE_CSS, contentHeight, fitWidth, writeMail } from '#web/features/message/frame/frame-document.ts'
export { applyTheme } from '#web/features/message/frame/frame-theme.ts'
export { releasePictures } from '#web/features/message/images/held-pictures.ts'
export { sanitizeMail } from '#web/features/message/sanitize/sanitize.ts'
