import type { KeyboardEvent } from 'react'
import { usePopover } from './use-popover.ts'

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
