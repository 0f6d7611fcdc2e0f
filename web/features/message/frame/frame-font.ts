/**
 * The site's typeface in a mail's frame, for the simple view. The page hands over the bytes, so that the frame's policy still forbids every
 * request, fonts included.
 */
import { fontBytes } from '#web/lib/browser/site-font.ts'
import type { MailView } from '../sanitize/sanitize.ts'

/** In its original layout a mail has only the fonts of the visitor's system. Without a network these stay in the simple view, too. */
export function applyFont(inner: Document, view: MailView, signal: AbortSignal): void {
  inner.fonts.clear()
  if (view !== 'simple') return
  void fontBytes().then(font => {
    const { FontFace: Face } = inner.defaultView ?? {}
    if (font && Face && !signal.aborted) inner.fonts.add(new Face('Instrument Sans', font, { weight: '400 700' }))
  })
}
