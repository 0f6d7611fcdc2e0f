import { useCallback, useEffect, useRef, useState } from 'react'
import type { AuditEntries, OperatorChecks, OperatorOverview } from '#contract/operator.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Skeleton } from '#web/components/ui/status-dot.tsx'
import { Tabs } from '#web/components/ui/tabs.tsx'
import { readAuditLog, readChecks, readOverview } from '#web/lib/api/operator-routes.ts'
import { ProblemError, request } from '#web/lib/api/request.ts'
import { dateAndTime } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { useAttempt } from './attempt.ts'
import { AbuseActions, BlocksPanel, SiteSettings } from './controls.tsx'
import { Domains } from './domains.tsx'
import { Folded } from './graphs.tsx'
import { Messages } from './messages.tsx'
import { Overview } from './overview.tsx'

const REFRESH_MS = 10_000
type Section = 'overview' | 'checks' | 'messages' | 'domains' | 'blocks' | 'settings' | 'abuse' | 'audit'
type Findings = OperatorChecks['findings']

/** The operator's page behind the second factor. Figures refresh while the page is visible. */
export function Console({ onLocked }: { onLocked: () => void }) {
  const texts = useTexts('operator')
  const [section, setSection] = useState<Section>('overview')
  const [overview, setOverview] = useState<OperatorOverview>()
  const [hasLooked, setHasLooked] = useState(false)

  const refresh = useCallback(async () => {
    if (document.visibilityState !== 'visible') return
    try {
      setOverview(await request(readOverview, {}))
    } catch (error) {
      if (error instanceof ProblemError && ['second_factor_required', 'sign_in_required'].includes(error.code)) onLocked()
    }
  }, [onLocked])
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => void refresh(), REFRESH_MS)
    // A page that the browser kept for Back shows nothing until the server has said that it still may.
    const restore = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      setOverview(undefined)
      void refresh()
    }
    window.addEventListener('pageshow', restore)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pageshow', restore)
    }
  }, [refresh])

  const showLook = useCallback((found: OperatorChecks) => {
    setOverview(before => before && { ...before, lastLook: { ...found, at: new Date().toISOString() } })
    setHasLooked(true)
  }, [])

  // On a phone they are one row from edge to edge, which scrolls. The one that is shown has its neighbours beside it.
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = body.current?.querySelector(`[role=tab][id$="-${section}-tab"]`)
    tab?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' })
  }, [section])

  if (!overview) return <Skeleton className="h-40 w-full" />
  const { unread } = overview
  const waiting = unread.contact + unread.mail + unread.reports
  return (
    <div
      ref={body}
      className="[&_[role=tablist]]:scroll-sideways max-sm:[&_[role=tablist]]:-mx-5 max-sm:[&_[role=tablist]]:px-5 [&_[role=tab]]:shrink-0"
    >
      <Tabs<Section>
        label={texts.sections}
        selected={section}
        onSelect={setSection}
        tabs={[
          {
            name: 'overview',
            label: texts.overview,
            panel: <Overview overview={overview} onOpen={setSection} />,
          },
          {
            name: 'checks',
            label: texts.checks,
            panel: <Checks findings={overview.lastLook?.findings} isFirst={!hasLooked} onFound={showLook} />,
          },
          {
            name: 'messages',
            label: waiting > 0 ? `${texts.messages} (${waiting})` : texts.messages,
            panel: <Messages canReply={overview.canReply} onRead={() => void refresh()} />,
          },
          { name: 'domains', label: texts.domains, panel: <Domains /> },
          { name: 'blocks', label: texts.blocks, panel: <BlocksPanel /> },
          {
            name: 'settings',
            label: texts.settings.tab,
            panel: <SiteSettings settings={overview.settings} onChanged={() => void refresh()} />,
          },
          { name: 'abuse', label: texts.abuse, panel: <AbuseActions /> },
          { name: 'audit', label: texts.audit, panel: <AuditLog /> },
        ]}
      />
    </div>
  )
}

function AuditLog() {
  const texts = useTexts('operator')
  const { language } = useLanguage()
  const attempt = useAttempt()
  const [entries, setEntries] = useState<AuditEntries>()
  useEffect(() => void attempt(async () => setEntries((await request(readAuditLog, {})).entries)), [attempt])
  // Another version's log may have an action that has no name here.
  const names: Readonly<Record<string, string>> = texts.auditActions
  if (entries?.length === 0) return <p className="mt-6">{texts.noAudit}</p>
  return (
    <ul className="mt-4 divide-y divide-line">
      {entries?.map(({ at, actor, action, subject }) => (
        <li key={`${at} ${action} ${subject}`} className="py-2">
          <p className="[overflow-wrap:anywhere]">
            {`${names[action] ?? action} `}
            <AuditSubject action={action} subject={subject} />
          </p>
          <p className="text-muted text-sm">
            <NamesUnbroken text={`${actor === 'command' ? texts.byCommand : actor} · ${dateAndTime(at, language)}`} />
          </p>
        </li>
      ))}
    </ul>
  )
}

/** What was acted on. The log keeps kinds and counts in English, e.g. `network 192.0.2.0/24` and `9 left`. */
function AuditSubject({ action, subject }: { action: string; subject: string }) {
  const { block, auditReplies, auditCodesLeft } = useTexts('operator')
  const [first = '', rest = ''] = subject.split(/ (.*)/s)
  if (action === 'second-factor.recovery-code') return auditCodesLeft({ count: Number.parseInt(first, 10) })
  const kinds: Readonly<Record<string, string>> = action.startsWith('block.') ? block.kinds : action === 'reply.send' ? auditReplies : {}
  const kind = kinds[first]
  return (
    <>
      {kind !== undefined && `${kind.toLowerCase()} `}
      <span className="font-mono text-sm">{kind === undefined ? subject : rest}</span>
    </>
  )
}

const COLOURS = { ok: 'text-river-ink', warning: 'text-dusk-ink', failure: 'text-ember-ink' } as const

/**
 * The findings of `npm run mayfly -- doctor`, checked by the running server: what is to be done first, and what is good folded. It looks
 * when it is opened for the first time, and at a press again.
 */
function Checks({
  findings,
  isFirst,
  onFound,
}: {
  findings: Findings | undefined
  isFirst: boolean
  onFound: (found: OperatorChecks) => void
}) {
  const { check: words } = useTexts('operator')
  const attempt = useAttempt()
  const [isLooking, setIsLooking] = useState(isFirst)
  useEffect(() => {
    if (isLooking) void attempt(() => request(readChecks, {}).then(onFound)).then(() => setIsLooking(false))
  }, [isLooking, attempt, onFound])

  const found = Object.groupBy(findings ?? [], ({ status }) => status)
  const { ok = [], warning = [], failure = [] } = found
  return (
    <div className="py-6">
      <p className="mb-4 max-w-xl text-muted">{words.hint}</p>
      <Button disabled={isLooking} onClick={() => setIsLooking(true)}>
        {isLooking ? words.looking : words.look}
      </Button>
      <div aria-live="polite" className="mt-4 max-w-3xl">
        {isLooking && !findings && <Skeleton className="h-40 w-full" />}
        {findings && <p className="font-medium text-lg">{words.summary({ failures: failure.length, hints: warning.length })}</p>}
        <FindingList findings={[...failure, ...warning]} />
        {ok.length > 0 && (
          <Folded title={words.good({ count: ok.length })}>
            <FindingList findings={ok} />
          </Folded>
        )}
      </div>
    </div>
  )
}

function FindingList({ findings }: { findings: Findings }) {
  const { check: words } = useTexts('operator')
  return (
    <ul className="divide-y divide-line">
      {findings.map(({ check, status, sentence, remedy }) => (
        <li key={`${check} ${sentence}`} className="py-3">
          <p className="[overflow-wrap:anywhere]">
            <strong className={COLOURS[status]}>{`${words.states[status]}: `}</strong>
            <span lang="en">
              <NamesUnbroken text={sentence} />
            </span>
          </p>
          {remedy !== undefined && (
            <p lang="en" className="text-muted [overflow-wrap:anywhere]">
              <NamesUnbroken text={remedy} />
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
