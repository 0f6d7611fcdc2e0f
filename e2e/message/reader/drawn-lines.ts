/** The lines of a text as it wraps, and whether a line of it can be taken for the name of another host. */
import { expect } from '@playwright/test'

/** The lines of an element, as the browser drew them. Runs in the page, or as text in a frame, so it uses only its argument. */
export function drawnLines(element: Element): string[] {
  const lines: string[] = []
  let lastTop = Number.NEGATIVE_INFINITY
  const walker = element.ownerDocument.createTreeWalker(element, 4)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? ''
    for (let at = 0; at < text.length; at++) {
      const letter = element.ownerDocument.createRange()
      letter.setStart(node, at)
      letter.setEnd(node, at + 1)
      const { top, height } = letter.getBoundingClientRect()
      // A blank at the end of a line has no place on it.
      if (height > 0 && Math.abs(top - lastTop) > height / 2) {
        lines.push('')
        lastTop = top
      }
      lines.push(`${lines.pop() ?? ''}${text[at]}`)
    }
  }
  return lines
}

/** `names` are those that the text really has. Anything else that reads as a host or an address, wherever it stands on a line, is none. */
export function expectNoOtherHost(lines: readonly string[], names: readonly string[], where: string): void {
  const others = lines
    .flatMap(line => line.split(/[\s<>→\u00a0]+/))
    .map(word => word.replace(/^https?:\/\//, '').replace(/[,:.]$/, ''))
    .filter(word => /^[^.@/][^/]*[.@][^.@]/.test(word) && !names.some(name => word.startsWith(name)))
  expect(others, `${where}: ${JSON.stringify(lines)}`).toEqual([])
  for (const name of names) expect(lines.join(''), where).toContain(name)
}
