/** The inline script of `/` (first-address.ts) and the application tell each other this in a global: they share no modules. */
type FirstAddress = {
  created?: Promise<boolean> | undefined
  askedAtMs?: number
  /** How long a request took that failed. */
  waitedMs?: number
  /** The server asked to wait until this time of `Date.now()`. */
  refusedUntil?: number
  isCopied?: boolean
  isApplicationReady?: boolean
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
  const { created, askedAtMs = performance.now() } = first
  first.created = undefined
  return created?.then(isMade => {
    if (!isMade) first.waitedMs = performance.now() - askedAtMs
    return isMade
  })
}

/** How long the visitor has waited for a first address that failed: it counts for the next bot check, and for no later one. */
export function takeWaitedMs(): number {
  const { waitedMs = 0 } = first
  first.waitedMs = 0
  return waitedMs
}

export function noteFirstRefusal(seconds: number): void {
  first.refusedUntil = Date.now() + seconds * 1000
}

/** How long the server still refuses the request that `takeFirstAddress` returned. */
export const secondsFirstRefused = (): number => Math.max(0, Math.ceil(((first.refusedUntil ?? 0) - Date.now()) / 1000))

/** The application is there, and all that it needs to show mail. */
export function noteApplicationReady(): void {
  first.isApplicationReady = true
}

export const isApplicationReady = () => first.isApplicationReady === true

export function noteFirstAddressCopied(): void {
  first.isCopied = true
  first.onCopied?.()
}

/** Calls `onCopied` for each time the address was copied before the application took over. */
export function onFirstAddressCopied(onCopied: () => void): void {
  first.onCopied = onCopied
  if (first.isCopied) onCopied()
}
