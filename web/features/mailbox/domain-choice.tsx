import { useEffect, useId, useState } from 'react'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { loadConfig } from '#web/lib/site/site-config.ts'

type Props = { domain: string | undefined; onChoose: (domain: string) => void }

/** Shown if the operator serves several domains. The choice applies to the next address. */
export function DomainChoice({ domain, onChoose }: Props) {
  const texts = useTexts('mailbox')
  const [domains, setDomains] = useState<readonly string[]>([])
  const id = useId()
  useEffect(() => {
    loadConfig().then(config => setDomains(config.domains), console.warn)
  }, [])
  if (domains.length < 2) return null
  return (
    <span className="flex min-h-11 items-center gap-2 max-sm:w-full sm:ml-auto">
      <label htmlFor={id} className="text-muted text-sm">
        {texts.domain}
      </label>
      <select
        id={id}
        value={domain ?? domains[0]}
        onChange={event => onChoose(event.target.value)}
        className="min-h-11 min-w-0 flex-1 rounded-md border border-edge bg-raised px-3 font-mono text-sm"
      >
        {domains.map(name => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </span>
  )
}
