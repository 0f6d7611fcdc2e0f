/** What generating with the scroll flag on brings into view. */
export const GENERATOR_ID = 'email-generator'
/** What the call to action brings into view. */
export const INBOX_ID = 'inbox'

/** Moves the view there; a visitor who wants less motion is there at once. */
export function scrollToSection(id: typeof GENERATOR_ID | typeof INBOX_ID): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  document.getElementById(id)?.scrollIntoView({ behavior: isCalm ? 'instant' : 'smooth', block: 'start' })
}
