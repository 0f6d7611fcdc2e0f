import { clsx } from 'clsx'
import { type PointerEvent, type ReactNode, useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { X } from '#web/components/ui/lazy-icons.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { IconButton } from './button.tsx'
import { Toaster } from './toaster.tsx'

/** How far a sheet on a phone must be pulled down to close it. */
const SWIPE_PX = 90
/** The same condition is `short` in web/styles.css. */
const SHORT = '(width >= 40rem) and ((height < 30rem) or ((width < 64rem) and (height < 40rem)))'

type Props = {
  title: ReactNode
  /** For long content: a bar next to the close button, with the title below it at full width. */
  bar?: ReactNode
  onClose: () => void
  children: ReactNode
  /** `wide` for reading mail, `narrow` for a question or a short form. */
  width?: 'narrow' | 'wide'
  className?: string
}

/**
 * A modal dialog on the browser's `<dialog>`: focus stays inside, Escape closes it, the page behind is inert. Mounting opens it. On a phone
 * it is a sheet that can be pulled down by its header: full height for reading, else at the bottom of the screen.
 */
export function Dialog({ title, bar, onClose, children, width = 'narrow', className }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const swipe = useSwipeDown(dialog, onClose)
  const isShort = useSyncExternalStore(onShort, () => matchMedia(SHORT).matches)

  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    if (element && !element.open) element.showModal()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way out, and the browser provides it
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        if (event.target === dialog.current) onClose()
      }}
      className={clsx(
        'm-0 w-full max-w-none animate-rise flex-col overflow-hidden bg-paper text-ink open:flex',
        'backdrop:bg-[light-dark(oklch(0.22_0.02_260/0.35),oklch(0.155_0.019_260/0.8))] backdrop:animate-fade',
        // By night its shadow cannot be seen.
        'sm:m-auto sm:max-h-[min(92dvh,60rem)] sm:rounded-lg sm:border sm:border-[light-dark(transparent,var(--color-line))] sm:shadow-lift',
        // A message loads in steps, and on a wide screen its dialog grows with them downwards only, so that nothing in it moves.
        width === 'wide'
          ? 'h-dvh max-h-none sm:mt-[4dvh] sm:h-fit sm:min-h-[min(92dvh,22rem)] sm:w-[min(94vw,56rem)] short:mt-0! short:h-dvh! short:max-h-none! short:w-full! short:rounded-none! short:border-0!'
          : 'h-fit max-h-[92dvh] max-sm:mt-auto max-sm:rounded-t-lg max-sm:pb-[env(safe-area-inset-bottom)] sm:w-[min(92vw,30rem)]',
        className,
      )}
    >
      {bar === undefined ? (
        <header {...swipe} className="flex shrink-0 touch-pan-x items-start gap-2 py-2.5 pr-2.5 pl-5 sm:pl-6">
          <h2 id={titleId} className="min-w-0 flex-1 py-2 text-lg leading-snug">
            {title}
          </h2>
          <CloseButton onClose={onClose} />
        </header>
      ) : (
        <header
          {...swipe}
          className="relative flex shrink-0 touch-pan-x flex-wrap items-center gap-x-1 border-line border-b px-2 py-1 sm:px-3"
        >
          <CloseButton onClose={onClose} />
          {isShort && (
            <h2 id={titleId} className="min-w-0 flex-1 font-semibold text-base [&>*]:line-clamp-1">
              {title}
            </h2>
          )}
          {bar}
        </header>
      )}
      {/* By its content: in a sheet as high as its content WebKit gives a basis of 0% no height. */}
      <div className="min-h-0 flex-auto overflow-y-auto overscroll-contain">
        {bar !== undefined && !isShort && (
          <h2 id={titleId} className="px-5 pt-3 text-lg leading-snug sm:px-6 sm:pt-5 sm:text-xl">
            {title}
          </h2>
        )}
        {children}
      </div>
      <Toaster isInside />
    </dialog>
  )
}

function onShort(listener: () => void): () => void {
  const query = matchMedia(SHORT)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

function CloseButton({ onClose }: { onClose: () => void }) {
  const words = useTexts('layout')
  return (
    <IconButton label={words.close} className="-outline-offset-2!" onClick={onClose}>
      <X aria-hidden="true" strokeWidth={1.5} />
    </IconButton>
  )
}

function useSwipeDown(sheet: { current: HTMLElement | null }, onClose: () => void) {
  const startY = useRef<number>(undefined)
  const pull = (event: PointerEvent) => (startY.current === undefined ? 0 : Math.max(0, event.clientY - startY.current))
  const move = (px: number) => {
    if (sheet.current) sheet.current.style.translate = px > 0 ? `0 ${px}px` : ''
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType === 'touch') startY.current = event.clientY
    },
    onPointerMove: (event: PointerEvent) => move(pull(event)),
    onPointerUp: (event: PointerEvent) => {
      const px = pull(event)
      startY.current = undefined
      move(0)
      if (px > SWIPE_PX) onClose()
    },
    onPointerCancel: () => {
      startY.current = undefined
      move(0)
    },
  }
}
