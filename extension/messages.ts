/** What the popup asks of the background page, and what it hears. */
import { formatMinutes } from '#web/lib/mailbox/countdown.ts'
import { number, object, oneOf, optional, type Shaped, text } from '#web/lib/shape.ts'
import { browser } from './browser.ts'

/**
 * `noField`: the focus is in no field. `closedPage`: the browser lets no extension into this page. `refused`: no permission for the server.
 */
const failure = oneOf('away', 'limit', 'network', 'refused', 'noSite', 'noField', 'closedPage', 'botCheck', 'noCode', 'noCodeField')
export type Failure = Shaped<typeof failure>

/** `copy`: the popup is to copy it, because a background page cannot. `setUp`: no server is chosen; `origin` if the page is of one. */
export const outcome = object({
  did: oneOf('put', 'made', 'fill', 'copy', 'show', 'setUp', 'fail'),
  failure: optional(failure),
  /** The host of the page, or with `refused` and `away` that of the server. */
  host: optional(text),
  code: optional(text),
  origin: optional(text),
  seconds: optional(number),
})
export type Outcome = Shaped<typeof outcome>

export type PopupCommand =
  /** The icon was pressed, or its shortcut, in a tab. */
  | { readonly kind: 'press'; readonly tabId: number | undefined; readonly url: string | undefined }
  /** A new address, whether or not there is one. */
  | { readonly kind: 'make'; readonly url: string | undefined }
  /** The inbox, in a tab of its own. */
  | { readonly kind: 'open'; readonly token: string }
  | { readonly kind: 'delete'; readonly token: string }
  /** The code was copied. */
  | { readonly kind: 'used' }
  | { readonly kind: 'useSite'; readonly origin: string; readonly apiKey: string | undefined }

export async function ask(command: PopupCommand): Promise<Outcome> {
  const answer = await browser.runtime.sendMessage(command)
  return outcome(answer) ? answer : { did: 'fail', failure: 'away' }
}

/** The sentence for a failure, with its remedy. */
export function failureText({ failure = 'away', host = '', seconds = 0 }: Outcome): string {
  if (failure === 'limit' && seconds === 0) return browser.i18n.getMessage('limitUntold')
  return browser.i18n.getMessage(`failure_${failure}`, [failure === 'limit' ? formatMinutes(Math.ceil(seconds)) : host])
}
