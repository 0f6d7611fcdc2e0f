/**
 * Where hosts and addresses may wrap, at any width and in any font. What does not fit on a line gives its first part to that line, and so
 * on until the rest fits: a part, and the box of all parts behind it, are boxes that wrap as one. So only the last line has more than one
 * part, and it begins with a dot or an @: no line reads as the name of another host.
 */

/** At most as long, a name fits on one line on the smallest screen (320 px) in its largest size, and is found in the page as one word. */
const WHOLE_CHARS_MAX = 16
/** A host has no more labels (RFC 1035 2.3.4). Boxes are nested as deep as this. */
const PARTS_MAX = 127
/** A longer path is somebody's data, and its breaks do not matter. */
const PATH_CHARS_MAX = 1000
const URL_PARTS = /^([^/?#]*\/\/[^/?#]*)(.*)$/s

/** `ada@mail.example` → `ada`, `@mail`, `.example`. */
export function nameParts(name: string): string[] {
  const parts = name.match(/[.@][^.@]*|^[^.@]+/g) ?? []
  return [parts.slice(0, -PARTS_MAX).join(''), ...parts.slice(-PARTS_MAX)].filter(part => part !== '')
}

export const wholeOrParts = (name: string): string[] => (name.length > WHOLE_CHARS_MAX ? nameParts(name) : [name])

/** A sentence cut into text and the parts of each host, address and URL in it. The path of a URL may break before its slashes. */
export function findNames(sentence: string): (string | string[])[] {
  return sentence.split(/(\s+)/).flatMap<string | string[]>(word => {
    if (!/[^.@][.@][^.@]/.test(word)) return word
    const [, origin = word, path = ''] = URL_PARTS.exec(word) ?? []
    const pieces = path === '' || path.length > PATH_CHARS_MAX ? [path] : path.split(/(?=[/?#&])/).map(piece => [piece])
    return [wholeOrParts(origin), ...pieces]
  })
}
