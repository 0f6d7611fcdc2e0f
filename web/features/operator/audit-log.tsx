import { useEffect, useState } from 'react'
import type { AuditEntries } from '#contract/operator.ts'
import { readAuditLog } from '#web/lib/api/operator-api.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { useAttempt } from './attempt.ts'

export function AuditLog() {
  const texts = useTexts('operator')
  const { language } = useLanguage()
  const attempt = useAttempt()
  const [entries, setEntries] = useState<AuditEntries>()
  useEffect(() => void attempt(async () => setEntries(await readAuditLog())), [attempt])
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' })
  if (entries?.length === 0) return <p className="mt-6">{texts.noAudit}</p>
  return (
    <ul className="mt-4 divide-y divide-line">
      {entries?.map(({ at, actor, action, subject }) => (
        <li key={`${at} ${action} ${subject}`} className="py-2">
          <p className="font-mono text-sm [overflow-wrap:anywhere]">{`${action} ${subject}`}</p>
          <p className="text-muted text-sm [overflow-wrap:anywhere]">{`${actor} · ${date.format(new Date(at))}`}</p>
        </li>
      ))}
    </ul>
  )
}
