import { useId } from 'react'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

export type DomainChoiceProps = { domains: readonly string[]; domain: string | undefined; onChoose: (domain: string) => void }

/** Shown only where the operator serves several domains; the choice counts for the next address. */
export default function DomainChoice({ domains, domain, onChoose }: DomainChoiceProps) {
  const texts = useTexts('mailbox')
  const id = useId()
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
