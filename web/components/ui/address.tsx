/** A domain of at most this length fits on one line on the smallest screen (320 px) in its largest size. */
const WHOLE_DOMAIN = /@.{1,16}$/

/** Where an address may wrap: after its dots and before the @, never inside a word. A short domain is not split. */
export function breakable(email: string): { at: number; text: string }[] {
  const domain = WHOLE_DOMAIN.exec(email)
  const rest = domain ? email.slice(0, domain.index) : email
  const parts = [...rest.matchAll(/@?[^.@]*\.?/g), ...(domain ? [domain] : [])]
  return parts.filter(match => match[0] !== '').map(match => ({ at: match.index, text: match[0] }))
}

/** An address as text. Use it inside `overflow-wrap: anywhere`, for a single word wider than the screen. */
export function Address({ email }: { email: string }) {
  return breakable(email).map(part => (
    <span key={part.at} className="inline-block max-w-full">
      {part.text}
    </span>
  ))
}
