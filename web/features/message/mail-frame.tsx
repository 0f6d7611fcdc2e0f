import { useEffect, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import { useTexts } from '#web/lib/i18n.tsx'
import { type FrameFit, INITIAL_FIT, nextFit } from './frame-height.ts'
import { SANDBOX } from './frame-sandbox.ts'
import type { CleanMail, MailView } from './sanitize.ts'

type Props = {
  mail: CleanMail
  view: MailView
  areImagesAllowed: boolean
  /** The link under the pointer or the focus; `undefined` when there is none. */
  onTarget: (url: string | undefined) => void
}

/** The sandboxed frame a mail is shown in; its document brings a policy of its own that loads nothing (decision 16). */
export function MailFrame({ mail, view, areImagesAllowed, onTarget }: Props) {
  const texts = useTexts('message')
  const frame = useRef<HTMLIFrameElement>(null)
  const [fit, setFit] = useState<FrameFit>(INITIAL_FIT)
  const src = areImagesAllowed ? `${routes.mailFrame}?images=1` : routes.mailFrame
  /** Which page the frame has loaded, and how often. A mail is written only under the policy it is meant for. */
  const [loaded, setLoaded] = useState({ src: '', times: 0 })

  useEffect(() => {
    const inner = frame.current?.contentDocument
    if (!inner?.body || loaded.src !== src) return
    write(inner, mail, view)
    const left = new AbortController()
    watchTargets(inner, onTarget, left.signal)
    const measure = () => setFit(before => nextFit(before, inner.body.scrollHeight, inner.documentElement.clientWidth))
    const observer = new ResizeObserver(measure)
    observer.observe(inner.body)
    inner.addEventListener('load', measure, { capture: true, signal: left.signal })
    measure()
    return () => {
      left.abort()
      observer.disconnect()
      onTarget(undefined)
    }
  }, [mail, view, src, loaded, onTarget])

  return (
    <iframe
      ref={frame}
      title={texts.frame}
      src={src}
      sandbox={SANDBOX}
      referrerPolicy="no-referrer"
      style={{ height: fit.height, colorScheme: usesPaper(mail) ? 'light' : 'light dark' }}
      onLoad={() => setLoaded(before => ({ src, times: before.times + 1 }))}
      className="block w-full border-0"
    />
  )
}

/** A mail with colours of its own and no dark mode was made for white: it gets white, in both themes. */
function usesPaper(mail: CleanMail): boolean {
  return mail.hasColors && !mail.hasDarkMode
}

const BASE_CSS = `
html { color-scheme: light dark; overflow-x: auto; }
html[data-paper] { color-scheme: light; }
body { margin: 0; padding: 16px 20px 20px; font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; background: Canvas; color: CanvasText; }
@media (prefers-color-scheme: dark) { html:not([data-paper]) body { background: #10141c; color: #ece8e0; } html:not([data-paper]) a { color: #f0a35e; } }
@media (width >= 600px) { body { padding-inline: 24px; } }
img { max-width: 100%; height: auto; }
[data-view=simple] blockquote { margin: 0 0 0 4px; padding-left: 12px; border-left: 2px solid currentColor; opacity: 0.8; }
`

/** Nodes are adopted, never parsed again (case X02). */
function write(inner: Document, mail: CleanMail, view: MailView): void {
  inner.documentElement.toggleAttribute('data-paper', usesPaper(mail))
  inner.documentElement.dataset.view = view
  const styles = [BASE_CSS, mail.css].map(css => {
    const style = inner.createElement('style')
    style.textContent = css
    return style
  })
  inner.head.replaceChildren(...styles)
  // The body's own attributes count as well, so that rules and colours for `body` find what they were written for.
  for (const name of inner.body.getAttributeNames()) inner.body.removeAttribute(name)
  for (const [name, value] of mail.bodyAttributes) inner.body.setAttribute(name, value)
  inner.body.replaceChildren(inner.adoptNode(mail.body))
}

function watchTargets(inner: Document, onTarget: (url: string | undefined) => void, signal: AbortSignal): void {
  const tell = (event: Event) => {
    // Nodes of the frame are instances of the frame's own classes, so no instanceof of ours fits.
    const node = event.target as (Node & Partial<Element>) | null
    onTarget(node?.closest?.('a[href^="http"], a[href^="mailto"]')?.getAttribute('href') ?? undefined)
  }
  for (const type of ['pointerover', 'focusin']) inner.addEventListener(type, tell, { signal })
  inner.addEventListener('pointerleave', () => onTarget(undefined), { signal })
}
