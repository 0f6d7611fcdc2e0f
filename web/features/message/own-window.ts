/** Opens a mail in its own window: the same page at the same mail, which the dialog fills (web/lib/routing/open-message.ts). */

const PREFIX = 'mayfly-mail-'

export function isOwnWindow(): boolean {
  return window.name.startsWith(PREFIX)
}

/** One window per mail. Opening it again brings it to the front. */
export function openOwnWindow(id: string): void {
  window
    .open(`${location.pathname}${location.search}#message-${encodeURIComponent(id)}`, PREFIX + id, 'popup,width=820,height=900')
    ?.focus()
}

/** The page behind the mail does not scroll there, so it needs no scroll bar. */
export function fillOwnWindow(): void {
  if (!isOwnWindow()) return
  const { style } = document.documentElement
  style.overflow = 'hidden'
  style.scrollbarGutter = 'auto'
}
