/**
 * Joins the lines of `format=flowed` text (RFC 3676 §4). Quoted lines flow within their depth; `delSp` deletes the space that marks the
 * flow. In the result, quoted lines start with `> ` per depth, as in unflowed mail.
 */
export function unflow(text: string, delSp: boolean): string {
  const out: string[] = []
  let paragraph = ''
  let depth = 0
  let isOpen = false
  const close = () => {
    if (isOpen) out.push(quoted(depth, paragraph))
    paragraph = ''
    isOpen = false
  }
  for (const line of text.split('\n')) {
    const marks = quoteDepth(line)
    if (isOpen && marks !== depth) close()
    depth = marks
    // §4.4: one space after the quote marks is stuffing
    const content = line.slice(line.charCodeAt(marks) === 0x20 ? marks + 1 : marks)
    const isFlowed = content.endsWith(' ') && content !== '-- '
    if (content === '-- ') close()
    paragraph += isFlowed && delSp ? content.slice(0, -1) : content
    isOpen = true
    if (!isFlowed) close()
  }
  close()
  return out.join('\n')
}

function quoted(depth: number, text: string): string {
  return depth === 0 ? text : `${'>'.repeat(depth)} ${text}`
}

function quoteDepth(line: string): number {
  let depth = 0
  while (line.charCodeAt(depth) === 0x3e) depth++
  return depth
}
