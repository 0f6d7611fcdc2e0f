import { useEffect, useState } from 'react'
import type { ConfirmationLink } from '#contract/mailbox.ts'
import { Check, Copy, ExternalLink } from '#web/components/ui/icons.tsx'
import { LINK_CHIP } from '#web/components/ui/link-chip.ts'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { groupCode } from '#web/lib/mailbox/group-code.ts'

const COPIED_MS = 2000
const WHOLE_ROW = 'relative z-10 flex w-full items-center justify-between gap-4 sm:w-fit sm:max-w-full lg:max-w-84 px-4'

/** What most visitors came for: a one-time code, displayed as `481 516` and copied as `481516`. */
export function CodeButton({ code }: { code: string }) {
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
      onClick={async () => setIsCopied(await copyText(code))}
      className={`${WHOLE_ROW} min-h-13 rounded-md border border-river bg-river-wash text-ink transition-colors duration-150 ease-out hover:border-ink lg:min-h-11`}
    >
      <span className="min-w-0 truncate font-mono font-semibold text-xl tracking-wide lg:text-base">{groupCode(code)}</span>
      <span aria-live={isCopied ? 'polite' : 'off'} className="inline-flex shrink-0 items-center gap-2 font-semibold text-river-ink">
        <Icon aria-hidden="true" className="size-4.5" strokeWidth={2} />
        {isCopied ? texts.copied : texts.copyThisCode}
      </span>
    </button>
  )
}

/** The link's label and its real host. */
export function LinkButton({ url, label }: ConfirmationLink) {
  const texts = useTexts('inbox')
  if (!URL.canParse(url)) return null
  // The host in Punycode if letters imitate others.
  const { host } = new URL(url)
  return (
    <a href={url} title={url} target="_blank" rel="noopener noreferrer nofollow" className={`${WHOLE_ROW} min-h-11 ${LINK_CHIP}`}>
      <bdi className="min-w-0 truncate">{label === '' || label === host ? texts.openLink : label}</bdi>
      <span className="inline-flex min-w-0 shrink-0 items-center gap-1.5 text-sm">
        {/* Cut at its start: whose site it is stands at the end of a host. */}
        <span className="max-w-[50cqi] truncate [direction:rtl]">
          <bdi dir="ltr">{host}</bdi>
        </span>
        <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" strokeWidth={1.75} />
      </span>
    </a>
  )
}
