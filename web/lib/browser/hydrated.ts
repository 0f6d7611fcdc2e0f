import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False in the served HTML, true once React runs. Forms are disabled until then: typed text would be lost on hydration, and submitting
 * would put the fields, a password among them, into the URL.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
