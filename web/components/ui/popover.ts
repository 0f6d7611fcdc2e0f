import { type FocusEvent, type KeyboardEvent, startTransition, useRef, useState } from 'react'
import { untilReleased } from '#web/lib/browser/released.ts'

/** A popover next to a button: Escape, a second click, and leaving with the focus close it. `root` contains both. */
export function usePopover() {
  const [isOpen, setIsOpen] = useState(false)
  const ref = useRef<HTMLDivElement>(null)

  /** Closes it and moves the focus to its button. */
  function leave() {
    setIsOpen(false)
    ref.current?.querySelector('button')?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen || event.key !== 'Escape') return
    // Closes only this, not the dialog around it.
    event.preventDefault()
    event.stopPropagation()
    leave()
  }

  function onBlur(event: FocusEvent<HTMLDivElement>) {
    if (event.currentTarget.contains(event.relatedTarget)) return
    // One in the flow moves what is below it, which may be what is being pressed.
    void untilReleased().then(() => setIsOpen(false))
  }

  // It is a transition: while something inside is fetched, React would hide the button, which loses focus, and with it the popover.
  const button = { 'aria-expanded': isOpen, onClick: () => startTransition(() => setIsOpen(!isOpen)) }
  return { isOpen, leave, root: { ref, onKeyDown, onBlur }, button }
}
