import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Check, Copy } from '#web/components/ui/icons.tsx'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Button, type ButtonSize, type ButtonVariant } from './button.tsx'

/** How long the button shows that it has copied. */
const COPIED_MS = 2000

type Props = {
  text: string
  children?: ReactNode
  variant?: ButtonVariant
  size?: ButtonSize
  className?: string
  disabled?: boolean
  /** Says so elsewhere, e.g. in a toast. */
  onCopied?: () => void
}

/** Copies `text`. For two seconds its icon and label say so, which screen readers announce, unless `onCopied` does. */
export function CopyButton({ text, children, onCopied, ...look }: Props) {
  const words = useTexts('layout')
  const [isCopied, setIsCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  async function copy() {
    if (!(await copyText(text))) return
    setIsCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIsCopied(false), COPIED_MS)
    onCopied?.()
  }

  return (
    <Button {...look} onClick={copy}>
      {isCopied ? <Check aria-hidden="true" strokeWidth={2} /> : <Copy aria-hidden="true" strokeWidth={1.75} />}
      {/* Off when the label comes back, which is no news. */}
      <span aria-live={isCopied && !onCopied ? 'polite' : 'off'}>{isCopied ? words.copied : (children ?? words.copy)}</span>
    </Button>
  )
}
