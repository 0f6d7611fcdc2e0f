import { clsx } from 'clsx'
import { type CSSProperties, Fragment } from 'react'
import { DESTROYING_MS } from '#contract/limits.ts'

/** How long one letter takes to go; the last one starts this long before the end. */
const LETTER_MS = 700

/** An address that breaks after its dots and before its @, never inside a word; `isDissolving` lets it go letter by letter. */
export function AddressText({ email, isDissolving }: { email: string; isDissolving: boolean }) {
  if (isDissolving) return <Dissolving email={email} />
  return (
    <>
      {breakable(email).map(part => (
        <span key={part.at} className="inline-block max-w-full">
          {part.text}
        </span>
      ))}
    </>
  )
}

function breakable(email: string): { at: number; text: string }[] {
  return [...email.matchAll(/@?[^.@]*\.?/g)].filter(match => match[0] !== '').map(match => ({ at: match.index, text: match[0] }))
}

function Dissolving({ email }: { email: string }) {
  const letters = Array.from(email)
  return (
    // Where less motion is asked for, the whole fades and no letter moves.
    <span aria-hidden="true" data-fades style={{ animationDuration: `${DESTROYING_MS}ms` }} className="motion-reduce:animate-fade-out">
      {breakable(email).map(part => (
        <Fragment key={part.at}>
          {part.at > 0 && <wbr />}
          {Array.from(part.text).map((letter, i) => {
            const at = part.at + i
            // The order looks like chance and is none: neighbours go at different times.
            const turn = ((at * 7) % letters.length) / letters.length
            const style: CSSProperties = { animationDelay: `${turn * (DESTROYING_MS - LETTER_MS)}ms`, animationDuration: `${LETTER_MS}ms` }
            return (
              <span key={at} style={style} className={clsx('inline-block motion-safe:animate-dissolve')}>
                {letter}
              </span>
            )
          })}
        </Fragment>
      ))}
    </span>
  )
}
