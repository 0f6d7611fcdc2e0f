/** Handles keys pressed inside a mail's frame like those on the page, which does not receive the frame's events. */
export function forwardKeys(inner: Document, frame: HTMLIFrameElement, signal: AbortSignal): void {
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
