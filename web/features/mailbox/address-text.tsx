import { clsx } from 'clsx'
import { type CSSProperties, Fragment } from 'react'
import { Address, breakable } from '#web/components/ui/address.tsx'
import { DESTROYING_MS } from '#web/lib/mailbox/timing.ts'

/** How long one letter takes to fade. The last one starts this long before the end. */
const LETTER_MS = 700

/** The address on the card, on one line if it fits. `isDissolving` fades it out letter by letter. */
export function AddressText({ email, isDissolving }: { email: string; isDissolving: boolean }) {
  const fit: CSSProperties & { '--chars': number } = { '--chars': Array.from(email).length }
  return (
    <span style={fit} className="one-line block">
      {isDissolving ? <Dissolving email={email} /> : <Address email={email} />}
    </span>
  )
}

function Dissolving({ email }: { email: string }) {
  const letters = Array.from(email)
  return (
    // With reduced motion the whole address fades at once.
    <span aria-hidden="true" data-fades style={{ animationDuration: `${DESTROYING_MS}ms` }} className="motion-reduce:animate-fade-out">
      {breakable(email).map(part => (
        <Fragment key={part.at}>
          {part.at > 0 && <wbr />}
          {Array.from(part.text).map((letter, i) => {
            const at = part.at + i
            // A fixed order that looks random: neighbours fade at different times.
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
