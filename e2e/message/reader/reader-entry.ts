/** The reader's own parts, for tests that show mail without the page around it. Bundled by reader-bundle.ts. */

export { faintTexts } from '#web/features/message/body/faint-texts.ts'
export { fitWidth } from '#web/features/message/body/fit-width.ts'
export { contentHeight, writeMail } from '#web/features/message/body/frame-document.ts'
export { applyTheme } from '#web/features/message/body/frame-theme.ts'
export { releasePictures } from '#web/features/message/body/held-pictures.ts'
export { sanitizeMail } from '#web/features/message/body/sanitize.ts'
