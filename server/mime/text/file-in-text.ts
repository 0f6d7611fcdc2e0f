/** A file in the middle of a text, as programs sent them before MIME. Offsets are bytes of the text; `size` is that of the file. */
export type FileInText = {
  readonly name: string
  readonly offset: number
  readonly length: number
  readonly size: number
  readonly encoding: 'x-uuencode' | 'x-yenc' | 'x-binhex'
}
