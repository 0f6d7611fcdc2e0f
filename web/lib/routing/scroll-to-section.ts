/** The element that creating an address with the scroll flag scrolls to. */
export const GENERATOR_ID = 'email-generator'
/** The element that the call to action scrolls to. */
export const INBOX_ID = 'inbox'

/** Scrolls there, without animation for visitors who prefer less motion. */
export function scrollToSection(id: typeof GENERATOR_ID | typeof INBOX_ID): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  document.getElementById(id)?.scrollIntoView({ behavior: isCalm ? 'instant' : 'smooth', block: 'start' })
}

/** Whether the address on the card is above the part of the page that is seen. */
export const isAddressAbove = () => (document.querySelector('.address-slot')?.getBoundingClientRect().top ?? 0) < 0
