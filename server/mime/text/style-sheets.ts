/** A declaration in braces, or a rule in a media query, but not the braces of ordinary text or of a template (`{{name}}`). */
const DECLARATION = /^\s*(?:\/\*|[\w-]{1,40}\s*:|[^\s{}][^{}\n]{0,200}\{|$)/
/** What may come before the braces: a selector at the start of a line or after the rule before. */
const SELECTOR_CHARS_MAX = 500

/** Removes style sheets that some programs copy into the plain text of a mail: `p { margin: 0 }`, `@media … { … }`. */
export function withoutStyleSheets(text: string): string {
  if (!text.includes('{')) return text
  let out = ''
  let at = 0
  for (let open = text.indexOf('{'); open !== -1; open = text.indexOf('{', at)) {
    const close = closingBrace(text, open)
    const start = selectorStart(text, open, at)
    const isRule = start < open && DECLARATION.test(text.slice(open + 1, open + 1 + SELECTOR_CHARS_MAX))
    out += text.slice(at, isRule ? start : close)
    at = close
  }
  return out + text.slice(at)
}

/** After the brace that closes the one at `open`; the end of the text if there is none. */
function closingBrace(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7b) depth++
    else if (code === 0x7d && --depth === 0) return at + 1
  }
  return text.length
}

/**
 * Where the selector of the rule at `open` starts: after an empty line or what was already read. A list of selectors may have several
 * lines.
 */
function selectorStart(text: string, open: number, from: number): number {
  let start = Math.max(from, open - SELECTOR_CHARS_MAX)
  const lineStart = text.lastIndexOf('\n', open - 1) + 1
  let at = Math.max(start, lineStart)
  // `h1,` on the line before is part of the selector
  while (at > start && /,\s*$/.test(text.slice(Math.max(start, at - 20), at))) at = Math.max(start, text.lastIndexOf('\n', at - 2) + 1)
  start = at
  return start
}
