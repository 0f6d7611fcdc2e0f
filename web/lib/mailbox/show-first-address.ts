/**
 * Shows the address in the served page before the application has loaded, with buttons that copy it. The markup is a `<template>` of
 * web/features/mailbox/waiting-address.tsx; the application replaces all of it.
 */
import { copyText } from '../browser/clipboard.ts'
import { noteFirstAddressCopied } from './first-address-handover.ts'

/** How long the button shows that it has copied. */
const COPIED_MS = 2000

export function showFirstAddress(email: string): void {
  // The rest of the page may still be arriving.
  if (document.readyState === 'loading') document.addEventListener('readystatechange', () => show(email), { once: true })
  else show(email)
}

function show(email: string): void {
  const place = document.querySelector('[data-first-address]')
  const template = place?.querySelector('template')
  if (!place || !template) return
  const shown = document.importNode(template.content, true)
  const address = shown.querySelector<HTMLElement>('[data-address]')
  address?.style.setProperty('--chars', String(email.length))
  address?.append(email)
  const label = shown.querySelector('[data-copied]')
  const words = label?.textContent ?? ''
  const setLabel = (text: string | null | undefined) => label?.replaceChildren(text ?? '')
  let timer: ReturnType<typeof setTimeout>
  const copy = async () => {
    if (!(await copyText(email))) return
    noteFirstAddressCopied()
    setLabel(label?.getAttribute('data-copied'))
    clearTimeout(timer)
    timer = setTimeout(() => setLabel(words), COPIED_MS)
  }
  for (const button of shown.querySelectorAll('button')) button.addEventListener('click', () => void copy())
  place.replaceChildren(shown)
}
