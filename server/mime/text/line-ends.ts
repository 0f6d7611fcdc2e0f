import { inBlocks } from './blocks.ts'

const CR = 13

/** Line ends as LF: those of CR LF, of CR CR LF (gateways) and of CR alone (old Macs). Linear, whatever stands in the text. */
export function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? inBlocks(text, afterLineEnd, change) : text
}

function change(text: string): string {
  const plain = text.replace(/\r\n/g, '\n')
  // Not `\r+\n|\r`: on a run of CR alone that tries each of its beginnings, a million squared.
  return plain.includes('\r') ? plain.replace(/\r+\n?/g, run => (run.endsWith('\n') ? '\n' : '\n'.repeat(run.length))) : plain
}

/** After the run of CR that the block would end in, and what follows it. */
function afterLineEnd(text: string, end: number): number {
  let at = end
  while (text.charCodeAt(at - 1) === CR && at < text.length) at++
  return at
}
