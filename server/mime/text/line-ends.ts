import { changeInBlocks } from './blocks.ts'

const CR = 13

/** Converts line ends to LF: CR LF, CR CR LF (gateways) and CR alone (old Macs). Linear in the text. */
export function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? changeInBlocks(text, afterLineEnd, change) : text
}

function change(text: string): string {
  const plain = text.replace(/\r\n/g, '\n')
  // Not `\r+
  // |\r`, which is quadratic on a long run of CR alone.
  return plain.includes('\r') ? plain.replace(/\r+\n?/g, run => (run.endsWith('\n') ? '\n' : '\n'.repeat(run.length))) : plain
}

/** After the run of CR in which the block would end, and what follows it. */
function afterLineEnd(text: string, end: number): number {
  let at = end
  while (text.charCodeAt(at - 1) === CR && at < text.length) at++
  return at
}
