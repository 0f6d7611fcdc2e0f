import { Tags } from './html.ts'
import { openedUrl } from './opened-url.ts'

/** Newsletters have fewer than a thousand. A mail with more costs no more at its arrival. */
const TAGS_MAX = 20_000
const CSS_URL = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"')]*))/gi

/** How an HTML mail names its pictures, as it writes it: in images, in backgrounds, in styles. `base`: of the relative ones. */
type PictureSources = { readonly sources: ReadonlySet<string>; readonly base: string | undefined }

export const pictureSources = (html: string, sourcesMax: number): PictureSources => new PictureReader(html, sourcesMax).read()

class PictureReader extends Tags {
  readonly #sources = new Set<string>()
  #base: string | undefined
  #isInStyle = false
  #tags = 0
  readonly #sourcesMax: number

  constructor(html: string, sourcesMax: number) {
    super(html)
    this.#sourcesMax = sourcesMax
  }

  read(): PictureSources {
    this.run()
    return { sources: this.#sources, base: this.#base }
  }

  protected onText(text: string): void {
    if (this.#isInStyle) this.#addUrls(text)
  }

  protected onOpen(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (++this.#tags > TAGS_MAX) this.tokenizer.pause()
    this.#isInStyle = tag === 'style'
    if (tag === 'base') this.#base ??= attributes.get('href')
    if (tag === 'img') this.#add(attributes.get('src'))
    this.#add(attributes.get('background'))
    this.#addUrls(attributes.get('style') ?? '')
  }

  protected onClose(): void {
    this.#isInStyle = false
  }

  protected onUnclear(): void {}

  #addUrls(css: string): void {
    if (/url\(/i.test(css)) for (const [, double, single, bare] of css.matchAll(CSS_URL)) this.#add(double ?? single ?? bare)
  }

  #add(source: string | undefined): void {
    const plain = source === undefined ? '' : openedUrl(source)
    if (plain !== '' && !/^data:/i.test(plain) && this.#sources.size < this.#sourcesMax) this.#sources.add(plain)
  }
}
