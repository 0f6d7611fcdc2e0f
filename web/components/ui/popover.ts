import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'

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
    if (!event.currentTarget.contains(event.relatedTarget)) setIsOpen(false)
  }

  const button = { 'aria-expanded': isOpen, onClick: () => setIsOpen(!isOpen) }
  return { isOpen, leave, root: { ref, onKeyDown, onBlur }, button }
}

/**
 * Keys and focus of a menu button, as in the ARIA Authoring Practices. Hand-written, because a library's menu would be larger than the rest
 * of the header. `root` goes around button and menu.
 */
export function useMenu() {
  const { root, button, ...popover } = usePopover()

  function onKeyDown(event: KeyboardEvent) {
    root.onKeyDown(event)
    if (popover.isOpen && !event.defaultPrevented) moveInMenu(event, root.ref.current)
  }

  return { ...popover, root: { ...root, onKeyDown }, button: { ...button, 'aria-haspopup': 'menu' } } as const
}

/** Arrow keys, Home and End move the focus among the items in `menu`. */
export function moveInMenu(event: KeyboardEvent, menu: HTMLElement | null): void {
  const choices = [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const current = choices.indexOf(document.activeElement as HTMLElement)
  const target = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: choices.length - 1 }[event.key]
  if (target === undefined) return
  event.preventDefault()
  choices[(target + choices.length) % choices.length]?.focus()
}
