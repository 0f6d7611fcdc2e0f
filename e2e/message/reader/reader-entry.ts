/** The reader's own parts, for tests that show mail without the page around it. Bundled by reader-bundle.ts. */

export { BASE_CSS, contentHeight, fitWidth, writeMail } from '#web/features/message/body/frame-document.ts'
export { applyTheme, faintTexts } from '#web/features/message/body/frame-theme.ts'
export { releasePictures } from '#web/features/message/body/held-pictures.ts'
export { sanitizeMail } from '#web/features/message/body/sanitize.ts'
