/** The element that generating with the scroll flag on, and every call to action, brings into view (spec 2.14, 2.15). */
export const GENERATOR_ID = 'email-generator'

/** Moves the view to the generator; a visitor who wants less motion is there at once. */
export function scrollToInbox(): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  document.getElementById(GENERATOR_ID)?.scrollIntoView({ behavior: isCalm ? 'instant' : 'smooth', block: 'start' })
}
