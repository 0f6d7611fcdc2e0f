/**
 * The site's typeface in a mail's frame, for the simple view. The page hands over the bytes, so that the frame's policy still forbids every
 * request, fonts included.
 */
import fontUrl from '#web/fonts/instrument-sans.woff2?url'
import type { MailView } from '../sanitize/sanitize.ts'

let bytes: Promise<ArrayBuffer | undefined> | undefined

/** Without a network the system's own font stays, and the next mail tries again. */
function fontBytes(): Promise<ArrayBuffer | undefined> {
  bytes ??= fetch(fontUrl)
    .then(response => (response.ok ? response.arrayBuffer() : undefined))
    .catch(() => undefined)
    .then(font => {
      if (!font) bytes = undefined
      return font
    })
  return bytes
}

/** In its original layout a mail has only the fonts of the visitor's system. */
export function applyFont(inner: Document, view: MailView, signal: AbortSignal): void {
  inner.fonts.clear()
  if (view !== 'simple') return
  void fontBytes().then(font => {
    const { FontFace: Face } = inner.defaultView ?? {}
    if (font && Face && !signal.aborted) inner.fonts.add(new Face('Instrument Sans', font, { weight: '400 700' }))
  })
}
