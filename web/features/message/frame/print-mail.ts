/**
 * Prints an open mail. Its frame is printed as its own document, so that pages break between lines; other views are printed with the page
 * around them (web/styles.css).
 */

/** `!important` in the attribute outranks every rule the mail can write. */
const HEAD_STYLE =
  'all: initial !important; display: block !important; font: 12pt/1.4 system-ui, sans-serif !important; color: #000 !important; ' +
  'padding-bottom: 8pt !important; margin-bottom: 12pt !important; border-bottom: 1px solid #000 !important; overflow-wrap: anywhere !important'

/** `lines` are the sender and the date, printed above the mail only. */
export function printMail(subject: string, lines: readonly string[]): void {
  const mail = document.querySelector<HTMLIFrameElement>('dialog[open] iframe')?.contentWindow
  if (!mail) {
    window.print()
    return
  }
  const { document: inner } = mail
  const head = inner.createElement('div')
  head.setAttribute('style', HEAD_STYLE)
  for (const [at, text] of [subject, ...lines].entries()) {
    const line = inner.createElement('div')
    line.setAttribute(
      'style',
      `all: initial !important; display: block !important; font: ${at === 0 ? '600 15pt' : '11pt'}/1.4 system-ui, sans-serif !important`,
    )
    line.textContent = text
    head.append(line)
  }
  inner.body.before(head)
  const folded = Array.from(inner.querySelectorAll<HTMLDetailsElement>('details:not([open])'))
  for (const quote of folded) quote.open = true
  const { zoom } = inner.body.style
  inner.body.style.zoom = ''
  const restore = () => {
    head.remove()
    for (const quote of folded) quote.open = false
    inner.body.style.zoom = zoom
  }
  mail.addEventListener('afterprint', restore, { once: true })
  mail.print()
}

/** The browser's own key for printing prints the mail while one is open: a frame in a printed page is cut at the edge of the sheet. */
export function onPrintKey(print: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    print()
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}
