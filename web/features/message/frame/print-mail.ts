/**
 * Prints an open mail. Its frame is printed as its own document, so that pages break between lines; other views are printed with the page
 * around them (web/styles.css).
 */

/** `!important` in the attribute outranks every rule the mail can write. */
const BOX_STYLE = 'all: initial !important; display: block !important; color: #000 !important; overflow-wrap: anywhere !important'
const HEAD_STYLE = `${BOX_STYLE}; padding-bottom: 8pt !important; margin-bottom: 12pt !important; border-bottom: 1px solid #000 !important`
const FOOT_STYLE = `${BOX_STYLE}; padding-top: 8pt !important; margin-top: 12pt !important; border-top: 1px solid #000 !important`

type PrintedWords = {
  readonly subject: string
  /** Sender and date, printed above the mail only. */
  readonly lines: readonly string[]
  /** Said above and below a long mail of which only the beginning is shown, and therefore printed. */
  readonly partNote: string
}

export function printMail({ subject, lines, partNote }: PrintedWords): void {
  const frame = document.querySelector<HTMLIFrameElement>('dialog[open] iframe')
  const mail = frame?.contentWindow
  if (!mail) {
    window.print()
    return
  }
  const { document: inner } = mail
  const isPart = frame.dataset.part !== undefined
  const head = textBox(inner, HEAD_STYLE, [subject, ...lines, ...(isPart ? [partNote] : [])], '600 15pt')
  const foot = isPart ? textBox(inner, FOOT_STYLE, [partNote], '11pt') : undefined
  inner.body.before(head)
  if (foot) inner.body.after(foot)
  const folded = Array.from(inner.querySelectorAll<HTMLDetailsElement>('details:not([open])'))
  for (const quote of folded) quote.open = true
  const { zoom } = inner.body.style
  inner.body.style.zoom = ''
  const restore = () => {
    head.remove()
    foot?.remove()
    for (const quote of folded) quote.open = false
    inner.body.style.zoom = zoom
  }
  mail.addEventListener('afterprint', restore, { once: true })
  mail.print()
}

/** `firstFont` is the size and weight of the first line. */
function textBox(inner: Document, style: string, lines: readonly string[], firstFont: string): HTMLElement {
  const box = inner.createElement('div')
  box.setAttribute('style', style)
  for (const [at, text] of lines.entries()) {
    const line = inner.createElement('div')
    line.setAttribute('style', `${BOX_STYLE}; font: ${at === 0 ? firstFont : '11pt'}/1.4 system-ui, sans-serif !important`)
    line.textContent = text
    box.append(line)
  }
  return box
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
