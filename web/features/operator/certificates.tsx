import type { OperatorOverview } from '#contract/operator.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'

type PortCertificate = OperatorOverview['certificates'][number]

/** The certificates of the mail port and the site, and why a renewal failed. */
export function Certificates({ certificates }: { certificates: readonly PortCertificate[] }) {
  const { certificates: words } = useTexts('operator')
  const { language } = useLanguage()
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })

  function state({ validTo, isSelfSigned }: PortCertificate): string {
    if (validTo === null) return words.absent
    const ends = { date: date.format(new Date(validTo)) }
    const sentence = Date.parse(validTo) > Date.now() ? words.validUntil(ends) : words.expired(ends)
    return isSelfSigned ? `${sentence}, ${words.selfSigned}` : sentence
  }

  return (
    <section className="mt-8">
      <h2 className="mb-2 text-lg">{words.heading}</h2>
      <ul className="max-w-3xl divide-y divide-line">
        {certificates.map(certificate => {
          const { use, name, validTo, problem, retryAt } = certificate
          const isGood = validTo !== null && Date.parse(validTo) > Date.now()
          return (
            <li key={use} className="py-3">
              <p className="[overflow-wrap:anywhere]">
                {words[use]}: <strong className="font-medium">{name}</strong>
              </p>
              <p className={isGood ? 'text-muted text-sm' : 'text-ember-ink text-sm'}>{state(certificate)}</p>
              {problem !== null && (
                <p lang="en" className="mt-1 text-ember-ink text-sm [overflow-wrap:anywhere]">
                  {problem}
                </p>
              )}
              {retryAt !== null && <p className="text-muted text-sm">{words.retry({ time: time.format(new Date(retryAt)) })}</p>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
