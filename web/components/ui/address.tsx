/** A domain this short fits on a line of its own on the smallest screen (320 px) in the largest size it is shown in. */
const WHOLE_DOMAIN = /@.{1,16}$/

/** Where an address may break when it must: after its dots and before its @, never inside a word; a short domain stays whole. */
export function breakable(email: string): { at: number; text: string }[] {
  const domain = WHOLE_DOMAIN.exec(email)
  const rest = domain ? email.slice(0, domain.index) : email
  const parts = [...rest.matchAll(/@?[^.@]*\.?/g), ...(domain ? [domain] : [])]
  return parts.filter(match => match[0] !== '').map(match => ({ at: match.index, text: match[0] }))
}

/** An address as text. Put it where `overflow-wrap: anywhere` saves the one word that is wider than the screen. */
export function Address({ email }: { email: string }) {
  return breakable(email).map(part => (
    <span key={part.at} className="inline-block max-w-full">
      {part.text}
    </span>
  ))
}
