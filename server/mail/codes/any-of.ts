/** A letter or a space that stands for itself, because no quantifier follows. */
const LITERAL = /^[\p{L} ](?![?*+{])/u

/**
 * The source of a pattern that finds any of the alternatives, grouped by how they begin: V8 then tries one group for a character of the
 * text instead of every alternative, which takes half the time. An alternative has no `|` outside of brackets, and if a lookbehind is
 * needed, it comes after the first word: `pin\b(?<=\bpin)` for `\bpin\b`.
 */
export function anyOf(alternatives: readonly string[]): string {
  const groups = new Map<string, string[]>()
  for (const alternative of new Set(alternatives)) {
    const start = LITERAL.exec(alternative)?.[0]
    const group = groups.get(start ?? alternative) ?? []
    groups.set(start ?? alternative, [...group, start === undefined ? '' : alternative.slice(start.length)])
  }
  return [...groups].map(([start, rests]) => (rests.length === 1 ? start + rests[0] : `${start}(?:${anyOf(rests)})`)).join('|')
}
