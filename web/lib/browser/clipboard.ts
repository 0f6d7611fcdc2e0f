/** How long a button says that it has copied. */
export const COPIED_MS = 2000

/**
 * Copies text; `false` if the browser refuses. On plain-http origins there is no asynchronous clipboard, so a selection is copied instead.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('aria-hidden', 'true')
  field.style.cssText = 'position:fixed;opacity:0'
  const focused = document.activeElement
  // Inside an open dialog, because its focus trap would take the focus back from anywhere else.
  const host = focused?.closest('dialog') ?? document.body
  host.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
