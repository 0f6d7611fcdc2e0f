import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False in the served HTML, true once React runs. A form takes nothing before: what was typed would be lost on hydration,
 * and a press would send the fields, a password among them, in the URL.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
