import { clsx } from 'clsx'
import { type ReactNode, useEffect } from 'react'
import { tellScreenWatchers } from '#web/lib/browser/screen.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { groupCode } from '#web/lib/mailbox/group-code.ts'
import type { CodeElsewhere } from '#web/lib/mailbox/mail-elsewhere.ts'
import { useCopy } from './button.tsx'
import { Check, Copy } from './icons.ts'

type Props = {
  code: string
  /** `line`: no higher than a line of text to the eye, and as high as a finger to the touch. Alone, its verb is for screen readers. */
  size?: 'line' | 'md' | 'lg'
  /** Between the code and the verb, e.g. the address it came to. */
  children?: ReactNode
  className?: string
  onCopied?: () => void
}

const SIZES = {
  line: 'min-h-11 gap-x-1 px-1.5 text-sm rounded-lg! border-0! border-transparent! border-y-7! bg-clip-padding forced-colors:border-y-[Canvas]! forced-colors:outline-1',
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
        className="inline-flex items-center gap-2 whitespace-nowrap font-semibold text-river-ink huge-text:whitespace-normal @max-[11rem]:whitespace-normal"
      >
        <Icon aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={2} />
        <span className={clsx(size === 'line' && !children && 'sr-only')}>{isCopied ? texts.copied : texts.copyThisCode}</span>
      </span>
    </button>
  )
}

/** The button of a code that came to an address which is not shown. */
export function ElsewhereButton({ email, className, ...code }: CodeElsewhere & Pick<Props, 'size' | 'className'>) {
  return (
    <CodeButton key={code.code} {...code} className={clsx('gap-x-3!', className)}>
      <span className="min-w-0 flex-1 truncate text-left text-muted text-sm" title={email}>
        {email}
      </span>
    </CodeButton>
  )
}
