/**
 * A code has one button on a screen: the one of its row, else the one in the bar at the lower edge while its mail is new, else the one on
 * the card of the address. One that came to an address which is not shown is offered apart, unless the shown one has got the same.
 */
import { useSyncExternalStore } from 'react'
import { watchScreen } from '../browser/screen.ts'

/** Whether the row of this code, or the bar, offers it where it can be seen. */
export function useIsCodeOffered(code: string): boolean {
  return useSyncExternalStore(
    watchScreen,
    () => isOnScreen(`[data-message] [data-code="${CSS.escape(code)}"]`) || document.querySelector('.arrival [data-code]') !== null,
    () => false,
  )
}

/** Whether the address that is shown has got this code: a mail may be for several. */
export function useIsCodeHere(code = ''): boolean {
  return useSyncExternalStore(
    watchScreen,
    () => document.querySelector(`:is([data-message], [data-mailbox], .arrival) [data-code="${CSS.escape(code)}"]`) !== null,
    () => false,
  )
}

function isOnScreen(selector: string): boolean {
  const { top, bottom, height } = document.querySelector(selector)?.getBoundingClientRect() ?? { top: 0, bottom: 0, height: 0 }
  return height > 0 && top >= 0 && bottom <= innerHeight
}
