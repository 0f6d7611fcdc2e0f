import type { Message } from '#contract/mailbox.ts'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { ExternalLink } from '#web/components/ui/icons.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { judgeLink } from './link-target.ts'

/** Codes and confirmation links, before anything has to be read. */
export function CodesAndLinks({ message }: { message: Message }) {
  const texts = useTexts('message')
  if (message.codes.length === 0 && message.links.length === 0) return null
  return (
    <div className="flex flex-col gap-3 border-line border-t bg-river-wash px-5 py-3 sm:px-6" data-print="never">
      {message.codes.length > 0 && (
        <ul aria-label={texts.codes} className="flex flex-wrap gap-x-6 gap-y-2">
          {message.codes.slice(0, 3).map(code => (
            <li key={code} className="flex items-center gap-3">
              <span className="font-medium font-mono text-lg tracking-wide">{code}</span>
              <CopyButton text={code}>{texts.copyFirstCode}</CopyButton>
            </li>
          ))}
        </ul>
      )}
      {message.links.length > 0 && (
        <ul aria-label={texts.links} className="flex flex-col gap-2">
          {message.links.slice(0, 3).map(link => (
            <Link key={link.url} {...link} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** What the sender calls it, and where it really goes: the one never without the other. */
function Link({ url, label }: Message['links'][number]) {
  const texts = useTexts('message')
  const { host } = judgeLink(url, '')
  const isNamed = label !== '' && label !== host
  return (
    <li className="flex items-center gap-x-3">
      <a
        href={url}
        title={url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="group flex min-h-11 min-w-0 items-center gap-2"
      >
        <ExternalLink aria-hidden="true" className="size-4.5 shrink-0 text-river-ink" strokeWidth={1.75} />
        <span className="min-w-0 leading-snug [overflow-wrap:anywhere]">
          <span className="text-link font-medium">{isNamed ? label : texts.openLink({ host })}</span>
          {isNamed && <span className="block text-muted text-sm">{host}</span>}
        </span>
      </a>
      <CopyButton text={url} variant="quiet" className="ml-auto shrink-0 max-sm:px-3 sm:ml-0 max-sm:[&>span]:sr-only">
        {texts.copyLink}
      </CopyButton>
    </li>
  )
}
