/** Reading in a window of its own: the same page at the same mail, which the dialog fills (web/lib/routing/open-message.ts). */

const PREFIX = 'mayfly-mail-'

export function isOwnWindow(): boolean {
  return window.name.startsWith(PREFIX)
}

/** One window per mail: asked for again, it comes to the front. */
export function openOwnWindow(id: string): void {
  window
    .open(`${location.pathname}${location.search}#message-${encodeURIComponent(id)}`, PREFIX + id, 'popup,width=820,height=900')
    ?.focus()
}

/** The page behind the mail is not scrolled there, so it needs no scroll bar. */
export function fillOwnWindow(): void {
  if (!isOwnWindow()) return
  const { style } = document.documentElement
  style.overflow = 'hidden'
  style.scrollbarGutter = 'auto'
}
