import type { ReactNode } from 'react'
import { findNames, wholeOrParts } from '#web/lib/name-parts.ts'

/** The box is as wide as its text, and wraps inside only where that is wider than the line. */
const BOX = 'inline-block max-w-full [overflow-wrap:anywhere]'

/** Draws a part that begins at a position of the name. */
type Draw = (part: string, at: number) => ReactNode
const asText: Draw = part => part

/** A host, or the address of somebody else. */
export const Unbroken = ({ name, draw = asText }: { name: string; draw?: Draw }) => <Parts parts={wholeOrParts(name)} at={0} draw={draw} />

function Parts({ parts: [first = '', ...rest], at, draw }: { parts: string[]; at: number; draw: Draw }) {
  const part = <span className={BOX}>{draw(first, at)}</span>
  if (rest.length === 0) return part
  return (
    <span className={BOX}>
      {part}
      <Parts parts={rest} at={at + first.length} draw={draw} />
    </span>
  )
}

/** An address of the visitor: its domain goes to the next line as one, whatever is before it. */
export function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return [email.slice(0, at), email.slice(at)].map(part => <Unbroken key={part} name={part} />)
}

/** A sentence that names hosts, addresses or URLs. */
export function NamesUnbroken({ text }: { text: string }) {
  return findNames(text).map((piece, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of a sentence never change places
    typeof piece === 'string' ? piece : <Parts key={at} parts={piece} at={0} draw={asText} />,
  )
}
