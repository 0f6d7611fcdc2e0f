import { clsx } from 'clsx'
import { type ReactNode, useEffect } from 'react'
import { tellScreenWatchers } from '#web/lib/browser/screen.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { groupCode } from '#web/lib/mailbox/group-code.ts'
import { useCopy } from './button.tsx'
import { Check, Copy } from './icons.tsx'

type Props = {
  code: string
  /** `line`: no higher than a line of text to the eye, with the verb for screen readers only. */
  size?: 'line' | 'md' | 'lg'
  /** Between the code and the verb, e.g. the address it came to. */
  children?: ReactNode
  className?: string
  onCopied?: () => void
}

const SIZES = {
  line: 'min-h-11 gap-x-1 px-1.5 text-sm',
  md: 'min-h-11 gap-x-4 px-4',
  lg: 'min-h-13 gap-x-4 px-4 max-[22rem]:gap-x-2 max-[22rem]:px-3',
} as const
const CODE_SIZES = { line: '', md: '', lg: 'text-xl' } as const

/**
 * What most visitors came for, and the same wherever it is offered: first the code, displayed as `481 516` and copied as `481516`, then
 * what a press does, in the colour of what is live. web/lib/mailbox/code-places.ts keeps it from being on a screen twice.
 */
export function CodeButton({ code, size = 'md', children, className, onCopied }: Props) {
  const texts = useTexts('inbox')
  const { isCopied, copy } = useCopy(code, onCopied)
  useEffect(() => {
    tellScreenWatchers()
    return tellScreenWatchers
  }, [])
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      data-code={code}
      onClick={copy}
      className={clsx(
        'inline-flex max-w-90 select-none flex-wrap items-center justify-between gap-y-0 rounded-md border border-river bg-river-wash text-ink',
        'transition-colors duration-150 ease-out hover:border-ink',
        SIZES[size],
        className,
      )}
    >
      <span className={clsx('min-w-0 truncate font-mono font-semibold tracking-wide huge-text:text-base', CODE_SIZES[size])}>
        {groupCode(code)}
      </span>{' '}
      {children}
      <span
        aria-live={isCopied ? 'polite' : 'off'}
        className="inline-flex items-center gap-2 whitespace-nowrap font-semibold text-river-ink huge-text:whitespace-normal"
      >
        <Icon aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={2} />
        <span className={clsx(size === 'line' && 'sr-only')}>{isCopied ? texts.copied : texts.copyThisCode}</span>
      </span>
    </button>
  )
}
