import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import { fontBytes } from '#web/lib/browser/site-font.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { fitWidth } from './fit-width.ts'
import { contentHeight, type FrameFit, INITIAL_FIT, nextFit, writeMail } from './frame-document.ts'
import { applyTheme, type ThemeChoice } from './frame-theme.ts'
import { type JudgedPictures, releasePictures } from './held-pictures.ts'
import { MailSkeleton } from './mail-skeleton.tsx'
import type { CleanMail, MailView } from './sanitize.ts'
import { keepSpareFrame, placeFrame } from './spare-frame.ts'

type Props = {
  mail: CleanMail
  view: MailView
  areImagesAllowed: boolean
  /** Only the beginning of a long mail is shown, which a print of it has to say (../message-dialog.tsx). */
  isPart: boolean
  theme: ThemeChoice
  /** At its own width, scrolling in the frame, instead of fitted to it. */
  isZoomed: boolean
  /** Called when it is known whether the mail is drawn smaller than its sender did. */
  onShrunk: (isShrunk: boolean) => void
  /** Called when it is decided whether the mail has a white background. */
  onBackground: (isOnWhite: boolean) => void
  /** Called when it is known which of the allowed pictures can be seen. */
  onPictures: (judged: JudgedPictures) => void
  /** The link under the pointer or the focus; `undefined` when there is none. */
  onTarget: (url: string | undefined) => void
}

/** The document of a frame and what was last written into it. Writing takes our marks away, so theme and night follow it each time. */
type Written = { readonly inner: Document; readonly mail: CleanMail; readonly view: MailView }

/** A4 between the margins of web/styles.css; US Letter has a little more. */
const PAPER_WIDTH = '174mm'

/** The sandboxed frame that shows a mail; its document has its own policy and loads nothing. */
export function MailFrame({ mail, view, areImagesAllowed, isPart, theme, isZoomed, onBackground, onShrunk, onPictures, onTarget }: Props) {
  const texts = useTexts('message')
  const place = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [fit, setFit] = useState<FrameFit>(INITIAL_FIT)
  const src = areImagesAllowed ? `${routes.mailFrame}?images=1` : routes.mailFrame
  /** Which page the frame has loaded, and how often. A mail is written only under the policy it is meant for. */
  const [loaded, setLoaded] = useState({ src: '', times: 0 })
  const [written, setWritten] = useState<Written>()
  const zoom = useZoom(isZoomed)

  // A new frame for a new page: navigating the old one would be an entry in the history, and Back would undo it, not close the mail.
  useLayoutEffect(() => {
    const { current } = place
    if (!current) return
    frame.current = placeFrame(current, src, () => setLoaded(before => ({ src, times: before.times + 1 })))
    return () => {
      frame.current?.remove()
      keepSpareFrame()
    }
  }, [src])
  const isOnWhite = useTheme(written, theme, onBackground)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    element.title = texts.frame
    element.toggleAttribute('data-part', isPart)
    Object.assign(element.style, frameStyle(loaded.times === 0 ? 0 : fit.height, loaded.src === src, isOnWhite))
  }, [texts, isPart, loaded, fit.height, src, isOnWhite])
  // Before the frame is painted.
  useLayoutEffect(() => {
    const element = frame.current
    const inner = element?.contentDocument
    if (!element || !inner?.body || loaded.src !== src || !inner.URL.endsWith(src)) return
    const held = writeMail(inner, mail, view, texts.quotedText)
    inner.documentElement.style.setProperty('--picture-label', JSON.stringify(`${texts.picture} `))
    const unmounted = new AbortController()
    applyFont(inner, view, unmounted.signal)
    if (held.images.length + held.backgrounds.length > 0)
      void releasePictures(held, unmounted.signal).then(judged => !unmounted.signal.aborted && onPictures(judged))
    watchTargets(inner, onTarget, unmounted.signal)
    forwardKeys(inner, element, unmounted.signal)
    let fittedWidth = 0
    const measure = () => {
      const width = inner.documentElement.clientWidth
      if (width !== fittedWidth) onShrunk(fitWidth(inner, zoom.current.isZoomed))
      fittedWidth = width
      setFit(before => nextFit(before, contentHeight(inner), width, window.innerWidth))
    }
    const measureAnew = () => {
      fittedWidth = 0
      setFit(before => ({ ...before, steps: 0 }))
      measure()
    }
    const observer = new ResizeObserver(measure)
    observer.observe(inner.body)
    zoom.current.fitAnew = measureAnew
    // A picture that loads does not count as the mail growing by itself. Style sheets say that they have loaded, too.
    const onLoad = ({ target }: Event) => (target as Node | null)?.nodeName === 'IMG' && measureAnew()
    inner.addEventListener('load', onLoad, { capture: true, signal: unmounted.signal })
    // Opening a quote does not count as the mail growing by itself.
    const onToggle = () => setFit(before => ({ ...before, steps: 0 }))
    inner.addEventListener('toggle', onToggle, { capture: true, signal: unmounted.signal })
    measure()
    setWritten({ inner, mail, view })
    return () => {
      setWritten(undefined)
      unmounted.abort()
      observer.disconnect()
      zoom.current.fitAnew = () => {}
      onShrunk(false)
      onTarget(undefined)
    }
  }, [mail, view, src, loaded, onShrunk, onTarget, onPictures, texts, zoom])
  usePaperSize(frame)
  useNight(written)

  return (
    <>
      {loaded.times === 0 && <MailSkeleton />}
      <div ref={place} />
    </>
  )
}

/** Until its page is there, a frame is not seen: its blank one is white, by night too. */
function frameStyle(height: number, isLoaded: boolean, isOnWhite: boolean): Partial<CSSStyleDeclaration> {
  const ground = isOnWhite ? { colorScheme: 'light', backgroundColor: '#fff' } : { colorScheme: 'inherit', backgroundColor: '' }
  return { ...ground, height: `${height}px`, visibility: isLoaded ? 'visible' : 'hidden' }
}

/** A change fits the mail again, and does not write it again, which would ask for its pictures once more. */
function useZoom(isZoomed: boolean) {
  const zoom = useRef({ isZoomed, fitAnew: () => {} })
  useLayoutEffect(() => {
    zoom.current.isZoomed = isZoomed
    zoom.current.fitAnew()
  }, [isZoomed])
  return zoom
}

/** Returns whether the mail is shown on white. */
function useTheme(written: Written | undefined, theme: ThemeChoice, onBackground: Props['onBackground']): boolean {
  const [isOnWhite, setIsOnWhite] = useState(false)
  useLayoutEffect(() => {
    if (!written) return
    const { inner, mail, view } = written
    const unmounted = new AbortController()
    const apply = () => {
      const isNowOnWhite = applyTheme(inner, mail, view, theme)
      setIsOnWhite(isNowOnWhite)
      onBackground(isNowOnWhite)
    }
    apply()
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply, { signal: unmounted.signal })
    return () => unmounted.abort()
  }, [written, theme, onBackground])
  return isOnWhite
}

/** At the end of the address it is night on the page, whatever the visitor's system says, and in a mail in our colours too. */
function useNight(written: Written | undefined): void {
  useLayoutEffect(() => {
    const sky = document.querySelector('[data-light]')
    const show = () => written?.inner.documentElement.toggleAttribute('data-night', sky?.getAttribute('data-light') === 'night')
    const observer = new MutationObserver(show)
    if (sky) observer.observe(sky, { attributes: true, attributeFilter: ['data-light'] })
    show()
    return () => observer.disconnect()
  }, [written])
}

/**
 * Paper is narrower than a screen, and a frame does not grow by itself: while the page is printed it has the size the mail has on paper.
 */
function usePaperSize(frame: RefObject<HTMLIFrameElement | null>): void {
  useEffect(() => {
    const unmounted = new AbortController()
    const before = { height: '' }
    const onPrint = () => {
      const element = frame.current
      if (!element?.contentDocument) return
      before.height = element.style.height
      element.style.width = PAPER_WIDTH
      element.style.height = `${Math.ceil(contentHeight(element.contentDocument))}px`
    }
    const onPrinted = () => {
      if (!frame.current) return
      frame.current.style.width = ''
      frame.current.style.height = before.height
    }
    window.addEventListener('beforeprint', onPrint, { signal: unmounted.signal })
    window.addEventListener('afterprint', onPrinted, { signal: unmounted.signal })
    return () => unmounted.abort()
  }, [frame])
}

function watchTargets(inner: Document, onTarget: (url: string | undefined) => void, signal: AbortSignal): void {
  const tell = (event: Event) => {
    // Nodes of the frame are instances of the frame's own classes, so no instanceof of ours fits.
    const node = event.target as (Node & Partial<Element>) | null
    onTarget(node?.closest?.(':is(a, area):is([href^="http"], [href^="mailto"])')?.getAttribute('href') ?? undefined)
  }
  for (const type of ['pointerover', 'focusin']) inner.addEventListener(type, tell, { signal })
  inner.addEventListener('pointerleave', () => onTarget(undefined), { signal })
}

/**
 * The site's typeface in a mail's frame, for the simple view. The page hands over the bytes, so that the frame's policy still forbids every
 * request, fonts included. In its original layout a mail has only the fonts of the visitor's system. Without a network these stay in the
 * simple view, too.
 */
function applyFont(inner: Document, view: MailView, signal: AbortSignal): void {
  inner.fonts.clear()
  if (view !== 'simple') return
  void fontBytes().then(font => {
    const { FontFace: Face } = inner.defaultView ?? {}
    if (font && Face && !signal.aborted) inner.fonts.add(new Face('Instrument Sans', font, { weight: '400 700' }))
  })
}

/** Handles keys pressed inside a mail's frame like those on the page, which does not receive the frame's events. */
function forwardKeys(inner: Document, frame: HTMLIFrameElement, signal: AbortSignal): void {
  const forward = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      // The browser closes a dialog only for a key in the dialog's own document.
      frame.closest('dialog')?.dispatchEvent(new Event('cancel', { cancelable: true }))
      return
    }
    const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event
    const copy = new KeyboardEvent('keydown', { key, code, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true })
    if (!frame.dispatchEvent(copy)) event.preventDefault()
  }
  inner.addEventListener('keydown', forward, { signal })
}
