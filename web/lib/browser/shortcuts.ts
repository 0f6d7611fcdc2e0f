/** Single-key shortcuts: inactive while typing or with a modifier, and they can be switched off (WCAG 2.1.4). */
import { useEffect, useRef } from 'react'
import { flag } from '../shape.ts'
import { localStore, readStored, writeStored } from './storage.ts'
import { createStore } from './store.ts'
import { useStore } from './use-store.ts'

const KEY = 'mayfly.shortcuts'
/** These repeat while the key is held, to move through the list. Any other key acts once. */
const REPEATABLE = ['j', 'k', 'ArrowDown', 'ArrowUp']
const TYPING = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]'

/** If the handler returns `false`, the browser handles the key. */
type Shortcuts = Readonly<Record<string, () => unknown>>

const enabledStore = createStore(readStored(localStore, KEY, flag) ?? true)

export function enableShortcuts(enabled: boolean): void {
  writeStored(localStore, KEY, enabled)
  enabledStore.set(enabled)
}

export const useShortcutsEnabled = (): boolean => useStore(enabledStore, () => true)

/** Keys are `event.key` values: `{ c: copy, '?': help }`. While a dialog is open, only the dialog's own shortcuts work. */
export function useShortcuts(shortcuts: Shortcuts, place: 'page' | 'dialog' = 'page'): void {
  const current = useRef(shortcuts)
  useEffect(() => {
    current.current = shortcuts
  })
  useEffect(() => {
    const unmounted = new AbortController()
    document.addEventListener('keydown', event => run(event, current.current, place), { signal: unmounted.signal })
    return () => unmounted.abort()
  }, [place])
}

function run(event: KeyboardEvent, shortcuts: Shortcuts, place: 'page' | 'dialog'): void {
  if (!enabledStore.get() || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.repeat && !REPEATABLE.includes(event.key)) return
  if (event.target instanceof Element && event.target.closest(TYPING)) return
  if ((document.querySelector('dialog[open]') === null) !== (place === 'page')) return
  const action = Object.hasOwn(shortcuts, event.key) ? shortcuts[event.key] : undefined
  if (!action) return
  if (action() !== false) event.preventDefault()
}
