import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { COPIED_MS, copyText } from '#web/lib/browser/clipboard.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { endNews } from '#web/lib/notify/toasts.ts'
import { Link } from '#web/lib/routing/router.tsx'
import { Check, Copy } from './icons.ts'

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
type ButtonSize = 'md' | 'lg'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'primary',
  secondary: 'border border-edge bg-transparent text-ink hover:border-ink hover:bg-sunken',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'danger',
}
const SIZES: Record<ButtonSize, string> = { md: 'button-md', lg: 'button-lg' }

/** Button styles for links. Use one `primary` per screen. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md', className?: string): string {
  return clsx('button', VARIANTS[variant], SIZES[size], className)
}

type Look = { variant?: ButtonVariant; size?: ButtonSize; children: ReactNode }

export function Button({ variant, size, className, type = 'button', ...props }: Look & ComponentProps<'button'>) {
  return <button type={type} className={buttonClass(variant, size, className)} {...props} />
}

/** A link within the site that looks like a button. */
export function ButtonLink({ variant, size, className, ...props }: Look & ComponentProps<typeof Link>) {
  return <Link className={buttonClass(variant, size, className)} {...props} />
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & { label: string; children: ReactNode }

/** A button with only an icon; `label` is its accessible name and tooltip. 44 px, for fingers. */
export function IconButton({ label, className, children, type = 'button', ...props }: IconButtonProps) {
  return (
    <button type={type} aria-label={label} title={label} className={clsx('icon-button', className)} {...props}>
      {children}
    </button>
  )
}

type CopyButtonProps = {
  text: string
  children?: ReactNode
  variant?: ButtonVariant
  size?: ButtonSize
  className?: string
  disabled?: boolean
  /** Says so elsewhere, e.g. in a toast. */
  onCopied?: () => void
}

/** `isCopied` for two seconds after `copy` has put `text` into the clipboard. */
export function useCopy(text: string, onCopied: (() => void) | undefined) {
  const [isCopied, setIsCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  async function copy() {
    if (!(await copyText(text))) return
    endNews()
    setIsCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIsCopied(false), COPIED_MS)
    onCopied?.()
  }
  return { isCopied, copy }
}

/** Copies `text`. For two seconds its icon and label say so, which screen readers announce, unless `onCopied` does. */
export function CopyButton({ text, children, onCopied, ...look }: CopyButtonProps) {
  const words = useTexts('layout')
  const { isCopied, copy } = useCopy(text, onCopied)
  return (
    <Button {...look} onClick={copy}>
      {isCopied ? <Check aria-hidden="true" strokeWidth={2} /> : <Copy aria-hidden="true" strokeWidth={1.75} />}
      {/* Off when the label comes back, which is no news. */}
      <span aria-live={isCopied && !onCopied ? 'polite' : 'off'}>{isCopied ? words.copied : (children ?? words.copy)}</span>
    </Button>
  )
}
