/** The bytes of the site's typeface, for documents that may not request it themselves. */
import fontUrl from '#web/fonts/instrument-sans.woff2?url'

let bytes: Promise<ArrayBuffer | undefined> | undefined

/** `undefined` without a network; the next call tries again. */
export function fontBytes(): Promise<ArrayBuffer | undefined> {
  bytes ??= fetch(fontUrl)
    .then(response => (response.ok ? response.arrayBuffer() : undefined))
    .catch(() => undefined)
    .then(font => {
      if (!font) bytes = undefined
      return font
    })
  return bytes
}
