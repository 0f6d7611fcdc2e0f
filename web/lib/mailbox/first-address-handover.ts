/**
 * What the inline script of the home page (first-address.ts) leaves for the application. They are two programs that share no modules, so it
 * is kept in a property of the window.
 */
type FirstAddress = {
  /** `true` if an address was created. Never rejects. */
  created?: Promise<boolean> | undefined
  isCopied?: boolean
  onCopied?: () => void
}

/** A symbol, because an element with an id can take the place of a named property. */
const FIRST_ADDRESS: unique symbol = Symbol.for('mayfly.first-address')

declare global {
  interface Window {
    [FIRST_ADDRESS]?: FirstAddress
  }
}

function firstAddress(): FirstAddress {
  window[FIRST_ADDRESS] ??= {}
  return window[FIRST_ADDRESS]
}

export function leaveFirstAddress(created: Promise<boolean>): void {
  firstAddress().created = created
}

/**
 * The result of that request: `true` if an address was created; whoever takes it counts the attempt. `undefined` if there was no request,
 * e.g. because there is a live address, and after the first call. Never rejects.
 */
export function takeFirstAddress(): Promise<boolean> | undefined {
  const first = firstAddress()
  const { created } = first
  first.created = undefined
  return created
}

export function noteFirstAddressCopied(): void {
  const first = firstAddress()
  first.isCopied = true
  first.onCopied?.()
}

/** Calls `onCopied` for each time the address was copied before the application took over. */
export function onFirstAddressCopied(onCopied: () => void): void {
  const first = firstAddress()
  first.onCopied = onCopied
  if (first.isCopied) onCopied()
}
