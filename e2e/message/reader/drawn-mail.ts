/** Shows a mail in the reader's frame without the site around it. */
import type { Page } from '@playwright/test'

/** Writes the mail into a frame of this width, as the reader does, and returns what `look` sees there. `look` is sent as text. */
export async function drawn<Seen>(
  page: Page,
  html: string,
  look: (mail: Document) => Seen,
  { view = 'layout', width = 600, images = false } = {},
) {
  return page.evaluate(
    async ({ html, source, view, width, images }): Promise<Seen> => {
      type Reader = {
        fitWidth: (inner: Document) => void
        sanitizeMail: (html: string, options: object) => object
        writeMail: (
          inner: Document,
          mail: object,
          view: string,
          quoted: string,
        ) => { images: readonly object[]; backgrounds: readonly object[] }
        releasePictures: (held: object, signal: AbortSignal) => Promise<number>
      }
      const { fitWidth, releasePictures, sanitizeMail, writeMail } = Reflect.get(window, 'mayfly') as Reader
      const frame = document.createElement('iframe')
      frame.style.cssText = `display:block;border:0;width:${width}px;height:900px`
      document.body.replaceChildren(frame)
      const inner = frame.contentDocument
      if (!inner) throw new Error('the frame is out of reach')
      inner.open()
      inner.write('<!doctype html><html><head></head><body></body></html>')
      inner.close()
      const held = writeMail(inner, sanitizeMail(html, { view, areImagesAllowed: images }), view, 'Quoted text')
      await releasePictures(held, new AbortController().signal)
      fitWidth(inner)
      return new Function('mail', `return (${source})(mail)`)(inner)
    },
    { html, source: String(look), view, width, images },
  )
}
