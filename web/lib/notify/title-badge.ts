/** The unread count in front of the page's title, whatever the title becomes while pages and languages change. */

const BADGE = /^\(\d+\) /

function badgeTitle(title: string, unread: number): string {
  const plain = title.replace(BADGE, '')
  return unread > 0 ? `(${unread}) ${plain}` : plain
}

/** Keeps the badge until `signal` aborts, then leaves the plain title. Also sets the app icon's badge where the system has one. */
export function keepTitleBadge(unread: number, signal: AbortSignal): void {
  const apply = () => {
    const wanted = badgeTitle(document.title, unread)
    if (wanted !== document.title) document.title = wanted
  }
  const observer = new MutationObserver(apply)
  observer.observe(document.head, { childList: true, subtree: true, characterData: true })
  apply()
  if ('setAppBadge' in navigator) navigator.setAppBadge(unread).catch(() => undefined)
  signal.addEventListener(
    'abort',
    () => {
      observer.disconnect()
      document.title = badgeTitle(document.title, 0)
      if ('clearAppBadge' in navigator) navigator.clearAppBadge().catch(() => undefined)
    },
    { once: true },
  )
}
