import { useCallback, useEffect, useState } from 'react'
import type { ChangeDomain, DnsLists, ListedDomain } from '#contract/operator.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Form, Input } from '#web/components/ui/field.tsx'
import { addDomain, changeDomain, listDomains, removeDomain } from '#web/lib/api/operator-routes.ts'
import { request, send } from '#web/lib/api/request.ts'
import { dateAndTime, regional } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { showToast } from '#web/lib/notify/toasts.ts'
import { useAttempt, useMissing } from './attempt.ts'

/** Where people get addresses. Changes reach every process within a second. */
export function Domains() {
  const { domain: words } = useTexts('operator')
  const attempt = useAttempt()
  const [domains, setDomains] = useState<readonly ListedDomain[]>()
  const load = useCallback(() => attempt(async () => setDomains((await request(listDomains, {})).domains)), [attempt])
  useEffect(() => void load(), [load])
  const act: Act = (work, done) => void attempt(work, done).then(load)
  const first = domains?.find(({ state }) => state === 'offered')

  return (
    <>
      <p className="mt-6 max-w-xl whitespace-pre-line text-muted">{words.hint}</p>
      <ul className="mt-4 max-w-3xl divide-y divide-line">
        {domains?.map(domain => (
          <DomainRow key={domain.name} domain={domain} isFirst={domain === first} onAct={act} />
        ))}
      </ul>
      <AddDomain onAdded={() => void load()} />
    </>
  )
}

type Act = (work: () => Promise<unknown>, done?: string) => void

function DomainRow({ domain, isFirst, onAct }: { domain: ListedDomain; isFirst: boolean; onAct: Act }) {
  const { domain: words, done } = useTexts('operator')
  const [question, setQuestion] = useState<'sure' | 'refused'>()
  const { language } = useLanguage()
  const day = new Intl.DateTimeFormat(regional(language), { dateStyle: 'medium', timeZone: 'UTC' })
  const { name, hasSubdomains, state, livingUntil, isWorn, listedOn, dnsLists } = domain
  const shown = hasSubdomains ? `*.${name}` : name
  const button = (label: string, work: () => Promise<unknown>) => (
    <Button aria-label={`${label} ${shown}`} onClick={() => onAct(work)}>
      {label}
    </Button>
  )
  const params = { name }
  const change = (json: ChangeDomain) => send(changeDomain, { params, json })
  const isLiving = livingUntil !== null
  const isForced = isLiving || question === 'refused'
  const remove = () =>
    question === undefined
      ? setQuestion('sure')
      : onAct(async () => {
          // The server may name a reason not to. The next press is for all of them.
          setQuestion('refused')
          await send(removeDomain, { params, query: isForced ? { now: '1' } : {} })
        }, done)
  const sureWords = isLiving ? words.removeNow : isForced ? words.removeAnyway : words.sure
  const removeWords = question ? sureWords : words.remove
  return (
    <li className="flex flex-col gap-2 py-4">
      <p className="font-mono">
        <NamesUnbroken text={shown} />
      </p>
      <DomainFacts domain={domain} isFirst={isFirst} />
      {isWorn && <p className="text-dusk-ink">{words.worn}</p>}
      {listedOn !== null && <p className="text-dusk-ink">{words.listed({ date: day.format(new Date(listedOn)) })}</p>}
      {dnsLists !== null && <DnsListsLine {...dnsLists} />}
      <div className="flex flex-wrap gap-3">
        {state !== 'offered' && button(words.offer, () => change({ state: 'offered' }))}
        {state === 'offered' && !isFirst && button(words.makeFirst, () => change({ state: 'offered', isFirst: true }))}
        {state === 'offered' && button(words.pause, () => change({ state: 'paused' }))}
        {state !== 'retired' && button(words.retire, () => change({ state: 'retired' }))}
        <Button
          aria-label={`${removeWords} ${shown}`}
          data-delete
          variant={question ? 'danger' : 'quiet'}
          className={question ? undefined : 'text-muted! hover:text-ember-ink!'}
          onClick={remove}
        >
          {removeWords}
        </Button>
      </div>
    </li>
  )
}

function DnsListsLine({ at, naming, answered }: DnsLists) {
  const { dnsLists: words } = useTexts('operator').domain
  const { language } = useLanguage()
  const time = dateAndTime(at, language)
  if (naming.length > 0) {
    const lists = new Intl.ListFormat(language).format(naming)
    return <p className="text-dusk-ink">{words.naming({ lists, time })}</p>
  }
  const lists = new Intl.ListFormat(language, { type: 'disjunction' }).format(answered)
  return <p className="text-muted text-sm">{answered.length > 0 ? words.clean({ lists, time }) : words.silent({ time })}</p>
}

function DomainFacts({ domain, isFirst }: { domain: ListedDomain; isFirst: boolean }) {
  const { domain: words } = useTexts('operator')
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  const { state, endsAt, livingUntil, counts } = domain
  const facts = [
    words.states[state],
    ...(isFirst ? [words.first] : []),
    ...(endsAt === null ? [] : [words.receives({ time: dateAndTime(endsAt, language) })]),
    ...(livingUntil === null ? [] : [words.living({ time: dateAndTime(livingUntil, language) })]),
  ]
  const { addresses, mails, refusals, unwelcome } = counts
  const shown = {
    addresses: number.format(addresses),
    mails: number.format(mails),
    refusals: number.format(refusals),
    unwelcome: number.format(unwelcome),
  }
  return (
    <>
      <p className="text-sm">{facts.join(' · ')}</p>
      <p className="text-muted text-sm">{words.counts(shown)}</p>
    </>
  )
}

function AddDomain({ onAdded }: { onAdded: () => void }) {
  const { domain: words } = useTexts('operator')
  const attempt = useAttempt()
  const [name, setName] = useState('')
  const { error, isMissing } = useMissing()

  async function submit() {
    if (isMissing(name)) return
    const add = async () => {
      const { missing } = await request(addDomain, { json: { name } })
      if (missing !== null) showToast({ title: words.addedPaused, description: missing })
    }
    if (!(await attempt(add))) return
    setName('')
    onAdded()
  }

  return (
    <Form className="my-6 max-w-xl" onSubmit={submit}>
      <h2 className="mb-3 text-lg">{words.add}</h2>
      <Field label={words.name} hint={words.nameHint} error={error}>
        <Input autoComplete="off" autoCapitalize="none" value={name} onChange={event => setName(event.target.value)} />
      </Field>
      <Button type="submit" className="mt-2">
        {words.submit}
      </Button>
    </Form>
  )
}
