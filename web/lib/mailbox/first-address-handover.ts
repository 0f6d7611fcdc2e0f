/**
 * What the inline script of the home page (first-address.ts) leaves for the application. They are two programs that share no modules, so it
 * is kept in a global property.
 */
type FirstAddress = {
  created?: Promise<boolean> | undefined
  askedAtMs?: number
  isCopied?: boolean
  onCopied?: () => void
}

/** A symbol, because an element with an id can take the place of a named property. */
const FIRST_ADDRESS = Symbol.for('mayfly.first-address')
const globals = globalThis as { [FIRST_ADDRESS]?: FirstAddress }
globals[FIRST_ADDRESS] ??= {}
const first = globals[FIRST_ADDRESS]

/** `created`: whether an address was created. Must not reject. */
export function leaveFirstAddress(created: Promise<boolean>): void {
  first.created = created
  first.askedAtMs = performance.now()
}

/**
 * The result of that request: `true` if an address was created; whoever takes it counts the attempt. `undefined` if there was no request,
 * e.g. because there is a live address, and after the first call. Never rejects.
 */
export function takeFirstAddress(): Promise<boolean> | undefined {
  const { created } = first
  first.created = undefined
  return created
}

/** How long ago the request began that `takeFirstAddress` returned. */
export function msSinceFirstAsked(): number {
  return performance.now() - (first.askedAtMs ?? performance.now())
}

export function noteFirstAddressCopied(): void {
  first.isCopied = true
  first.onCopied?.()
}

/** Calls `onCopied` for each time the address was copied before the application took over. */
export function onFirstAddressCopied(onCopied: () => void): void {
  first.onCopied = onCopied
  if (first.isCopied) onCopied()
}
