import { useState } from 'react'
import type { OperatorChecks } from '#contract/operator.ts'
import { Button } from '#web/components/ui/button.tsx'
import { readChecks } from '#web/lib/api/operator-api.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { useAttempt } from './attempt.ts'

const COLOURS = { ok: 'text-river-ink', warning: 'text-dusk-ink', failure: 'text-ember-ink' } as const

/** The findings of `npm run mayfly -- doctor`, checked by the running server. */
export function Checks() {
  const { check: words } = useTexts('operator')
  const attempt = useAttempt()
  const [findings, setFindings] = useState<OperatorChecks['findings']>()
  const [isLooking, setIsLooking] = useState(false)

  async function look() {
    setIsLooking(true)
    await attempt(async () => setFindings(await readChecks()))
    setIsLooking(false)
  }

  return (
    <div className="py-6">
      <p className="mb-4 max-w-xl text-muted">{words.hint}</p>
      <Button disabled={isLooking} onClick={() => void look()}>
        {isLooking ? words.looking : words.look}
      </Button>
      <ul aria-live="polite" className="mt-4 max-w-3xl divide-y divide-line">
        {findings?.map(({ check, status, sentence, remedy }) => (
          <li key={`${check} ${sentence}`} lang="en" className="py-3">
            <p className="[overflow-wrap:anywhere]">
              <strong className={COLOURS[status]}>{`${words.states[status]}: `}</strong>
              {sentence}
            </p>
            {remedy !== undefined && <p className="text-muted [overflow-wrap:anywhere]">{remedy}</p>}
          </li>
        ))}
      </ul>
    </div>
  )
}
