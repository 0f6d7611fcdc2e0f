import { useEffect, useState } from 'react'
import { Check, Copy } from '#web/components/ui/icons.tsx'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { groupCode } from './group-code.ts'

const COPIED_MS = 2000

/** A one-time code as it is read, `481 516`, and copied as it is typed, `481516`. */
export function CodeChip({ code }: { code: string }) {
  const texts = useTexts('inbox')
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const Icon = isCopied ? Check : Copy

  return (
    <button
      type="button"
      aria-label={texts.copyCode({ code })}
      onClick={async () => setIsCopied(await copyText(code))}
      className="relative z-10 inline-flex min-h-9 pointer-coarse:min-h-11 items-center gap-2 rounded-md border border-river bg-river-wash px-2.5 text-ink text-sm transition-colors duration-150 ease-out hover:border-ink"
    >
      <span className="font-medium font-mono tracking-wide">{groupCode(code)}</span>
      <span aria-live="polite" className="inline-flex items-center gap-1.5 text-river-ink">
        <Icon aria-hidden="true" className="size-3.5" strokeWidth={2} />
        {isCopied ? texts.copied : texts.copy}
      </span>
    </button>
  )
}
