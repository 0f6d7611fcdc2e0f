/**
 * Cuts a very long mail in the simple view into boxes, so that the browser lays out only what is near the screen: all of 4 MiB took it ten
 * seconds and more. Works on sanitised nodes and only moves them. The original layout stays as it is, because boxes would come between the
 * mail and its rules.
 */

/** Shorter mail is laid out as a whole. So long a text is far taller than its frame may be, so guessed heights never change the frame. */
const CUT_CHARS_MIN = 1_048_576
/** Some screens of a phone. */
const PIECE_CHARS = 8192
/** On a phone; a wrong guess only moves the scroll bar. */
const PX_PER_CHAR = 0.6
const BLOCKS = new Set(['P', 'DIV', 'UL', 'OL', 'BLOCKQUOTE', 'HR', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'DETAILS'])

/** Call it before the nodes enter the shown document, where moving them costs ten times as much. */
export function cutIntoPieces(body: HTMLElement): void {
  if (body.textContent.length >= CUT_CHARS_MIN) cut(body)
}

function cut(container: HTMLElement): void {
  let piece: Node[] = []
  let chars = 0
  const close = () => {
    if (piece.length > 0) wrap(piece, chars)
    piece = []
    chars = 0
  }
  for (const node of Array.from(container.childNodes)) {
    const length = node.textContent?.length ?? 0
    // Many mails are one box around everything.
    if (node.nodeName === 'DIV' && length > 2 * PIECE_CHARS) {
      close()
      cut(node as HTMLElement)
      continue
    }
    piece.push(node)
    chars += length
    // Only where a line ends anyway.
    if (chars >= PIECE_CHARS && (node.nodeName === 'BR' || BLOCKS.has(node.nodeName))) close()
  }
  close()
}

function wrap(nodes: readonly Node[], chars: number): void {
  const [first] = nodes
  const box = first?.ownerDocument?.createElement('div')
  if (!first || !box) return
  box.style.cssText = `content-visibility: auto; contain-intrinsic-size: auto none auto ${Math.ceil(chars * PX_PER_CHAR)}px`
  first.parentNode?.insertBefore(box, first)
  for (const node of nodes) box.append(node)
}
