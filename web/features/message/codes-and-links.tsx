import type { Message } from '#contract/mailbox.ts'
import { judgeLink } from '#reader/links/judge-link.ts'
import { NamesUnbroken, Unbroken } from '#web/components/ui/address.tsx'
import { CopyButton } from '#web/components/ui/button.tsx'
import { CodeButton } from '#web/components/ui/code-button.tsx'
import { ExternalLink } from '#web/components/ui/lazy-icons.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { liftedLinks } from './trusted-links.ts'

/** Codes and confirmation links, above the text. A contradicted sender gets no button: the code can still be read in the text. */
export function CodesAndLinks({ message }: { message: Message }) {
  const texts = useTexts('message')
  const links = liftedLinks(message)
  const codes = message.verdict === 'contradicted' ? [] : message.codes
  if (codes.length === 0 && links.length === 0) return null
  return (
    <div
      className="flex flex-col gap-2 px-5 pb-3 sm:gap-3 sm:px-6 sm:pb-4 short:flex-row short:pb-3 short:*:min-w-0 short:*:flex-1"
      data-print="never"
    >
      {codes.length > 0 && (
        <ul aria-label={texts.codes} className="flex flex-col gap-2">
          {codes.slice(0, 3).map(code => (
            <li key={code} className="flex">
              <CodeButton code={code} size="lg" className="w-full short:min-h-11" />
            </li>
          ))}
        </ul>
      )}
      {links.length > 0 && (
        <ul aria-label={texts.links} className="flex flex-col gap-2">
          {links.map(link => (
            <Link key={link.url} {...link} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** The link's label together with its real host, which is whole on a line of its own where both do not fit beside each other. */
function Link({ url, label }: Message['links'][number]) {
  const texts = useTexts('message')
  const { host } = judgeLink(url, '')
  const isNamed = label !== '' && label !== host
  return (
    <li className="flex items-center gap-x-3 huge-text:flex-wrap">
      <a
        href={url}
        title={url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        aria-label={isNamed ? `${label} ${host}` : texts.openLink({ host })}
        className="flex min-h-11 min-w-0 flex-1 items-center justify-between gap-x-4 px-4 py-1 leading-snug max-sm:flex-col max-sm:items-start huge-text:basis-full sm:max-w-fit sm:flex-wrap link-chip"
      >
        <span className="min-w-0 font-medium leading-snug">{isNamed ? label : <NamesUnbroken text={texts.openLink({ host })} />}</span>{' '}
        <span className="inline-flex min-w-0 items-center gap-1.5 text-sm">
          {isNamed && <Unbroken name={host} />}
          <ExternalLink aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
        </span>
      </a>
      <CopyButton
        text={url}
        variant="quiet"
        className="shrink-0 max-sm:px-3 max-sm:not-huge-text:[&>span]:sr-only short:px-3 short:[&>span]:sr-only"
      >
        {texts.copyLink}
      </CopyButton>
    </li>
  )
}
