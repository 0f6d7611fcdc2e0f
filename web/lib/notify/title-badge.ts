/** A prefix of the page's title that stays while pages and languages change. */

/** The newest code or the count of unread messages, those of addresses that are not shown, then the time in the last minute. */
const parts = { mail: '', elsewhere: '', time: '' }
let applied = ''
let observer: MutationObserver | undefined

function apply(): void {
  const prefix = Object.values(parts).join('')
  const plain = document.title.startsWith(applied) ? document.title.slice(applied.length) : document.title
  applied = prefix
  if (document.title !== prefix + plain) document.title = prefix + plain
}

/** Keeps `text` in front of the title until `signal` aborts. */
export function showInTitle(part: keyof typeof parts, text: string, signal: AbortSignal): void {
  if (!observer) {
    observer = new MutationObserver(apply)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
  }
  parts[part] = text
  apply()
  signal.addEventListener(
    'abort',
    () => {
      parts[part] = ''
      apply()
    },
    { once: true },
  )
}

/** The app icon's badge, on systems that have one. */
export function showAppBadge(unread: number, signal: AbortSignal): void {
  if (!('setAppBadge' in navigator)) return
  navigator.setAppBadge(unread).catch(() => undefined)
  signal.addEventListener('abort', () => navigator.clearAppBadge().catch(() => undefined), { once: true })
}
