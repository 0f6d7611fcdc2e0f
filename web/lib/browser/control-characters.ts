import { MULTIPLE_LINES, ONE_LINE } from '#contract/text-patterns.ts'

/** The text without characters that forms refuse (contract/text-patterns.ts). On one line, tabs and ends of lines become spaces. */
export function withoutControls(text: string, { isOneLine }: { isOneLine: boolean }): string {
  const sound = isOneLine ? ONE_LINE : MULTIPLE_LINES
  if (sound.test(text)) return text
  const spaced = isOneLine ? text.replace(/\s+/g, ' ') : text
  return Array.from(spaced)
    .filter(character => sound.test(character))
    .join('')
}
