import { useCallback, useEffect, useState } from 'react'
import { LANGUAGE_NAMES, LANGUAGES, perLanguage } from '#contract/languages.ts'
import { DIFFICULTY, NOTICE_CHARS_MAX } from '#contract/limits.ts'
import { type AccountFound, BLOCK_KINDS, type ChangeSettings, type OperatorBlock, type OperatorSettings } from '#contract/operator.ts'
import { NamesUnbroken, Unbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Form, Input, Select } from '#web/components/ui/field.tsx'
import {
  addBlock,
  changeSettings,
  destroyAccount,
  destroyAddress,
  findAccount,
  listBlocks,
  removeBlock,
  resumeAccount,
  suspendAccount,
} from '#web/lib/api/operator-routes.ts'
import { request, send } from '#web/lib/api/request.ts'
import { dateAndTime } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { useAttempt, useMissing } from './attempt.ts'

// Without a network every press counts.
import('#web/lib/browser/stray-press.ts').catch(() => undefined)

/** Registration, difficulty and notice. Changes reach every process within seconds. */
export function SiteSettings({ settings, onChanged }: { settings: OperatorSettings; onChanged: () => void }) {
  const { settings: words, done } = useTexts('operator')
  const attempt = useAttempt()
  const [difficulty, setDifficulty] = useState(String(settings.difficulty))
  const [notice, setNotice] = useState(settings.notice ?? perLanguage(() => ''))
  const change = async (json: ChangeSettings) => {
    if (await attempt(() => send(changeSettings, { json }), done)) onChanged()
  }
  const isOpen = settings.isRegistrationOpen

  return (
    <section className="grid gap-x-16 gap-y-6 py-6 max-lg:max-w-xl lg:grid-cols-2 lg:grid-rows-[auto_auto_1fr]">
      <h2 className="text-lg lg:col-span-2">{words.heading}</h2>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{`${words.registration}: ${isOpen ? words.open : words.closed}`}</p>
        <Button onClick={() => void change({ isRegistrationOpen: !isOpen })}>{isOpen ? words.closeNow : words.openNow}</Button>
      </div>
      <Form onSubmit={() => change({ difficulty: Number(difficulty) })}>
        <Field label={words.difficulty} hint={words.difficultyHint}>
          <Input
            type="number"
            min={DIFFICULTY.min}
            max={DIFFICULTY.max}
            value={difficulty}
            onChange={event => setDifficulty(event.target.value)}
          />
        </Field>
        <Button type="submit" className="mt-1">
          {words.set}
        </Button>
      </Form>
      <Form className="lg:col-start-2 lg:row-span-2 lg:row-start-2" onSubmit={() => change({ notice })}>
        <h3 className="font-medium">{words.notice}</h3>
        <p className="mb-3 text-muted text-sm">{words.noticeHint}</p>
        {LANGUAGES.map(language => (
          <Field key={language} label={LANGUAGE_NAMES[language]}>
            <Input
              maxLength={NOTICE_CHARS_MAX}
              value={notice[language]}
              onChange={event => setNotice({ ...notice, [language]: event.target.value })}
            />
          </Field>
        ))}
        <div className="mt-1 flex flex-wrap gap-3">
          <Button type="submit">{words.show}</Button>
          {settings.notice && <Button onClick={() => void change({ notice: null })}>{words.clear}</Button>}
        </div>
      </Form>
    </section>
  )
}

export function BlocksPanel() {
  const { block: words } = useTexts('operator')
  const { language } = useLanguage()
  const attempt = useAttempt()
  const [blocks, setBlocks] = useState<readonly OperatorBlock[]>()
  const load = useCallback(() => attempt(async () => setBlocks((await request(listBlocks, {})).blocks)), [attempt])
  useEffect(() => void load(), [load])

  return (
    <>
      <AddBlock onAdded={() => void load()} />
      {blocks?.length === 0 && <p>{words.none}</p>}
      <ul className="divide-y divide-line">
        {blocks?.map(({ id, kind, value, endsAt }) => (
          <li key={id} className="list-row py-3">
            <div className="min-w-0">
              <p className="font-mono text-sm">
                <Unbroken name={value} />
              </p>
              <p className="text-muted text-sm">
                {`${words.kinds[kind]}, ${endsAt === null ? words.forever : words.until({ time: dateAndTime(endsAt, language) })}`}
              </p>
            </div>
            <Button
              aria-label={`${words.remove} ${value}`}
              data-delete
              variant="quiet"
              className="card-delete"
              onClick={() => void attempt(() => send(removeBlock, { params: { id } })).then(load)}
            >
              {words.remove}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Labels and controls of two fields are in line, whichever has a hint of two lines. */
const FIELDS_IN_LINE = 'grid gap-x-4 sm:grid-cols-2 sm:*:row-span-3 sm:*:grid sm:*:grid-rows-subgrid sm:*:gap-y-0'

function AddBlock({ onAdded }: { onAdded: () => void }) {
  const { block: words } = useTexts('operator')
  const attempt = useAttempt()
  const [kind, setKind] = useState<(typeof BLOCK_KINDS)[number]>('domain')
  const [value, setValue] = useState('')
  const [hours, setHours] = useState('')
  const { error, isMissing } = useMissing()

  async function submit() {
    if (isMissing(value)) return
    const end = hours.trim() === '' ? {} : { hours: Number(hours) }
    if (!(await attempt(() => send(addBlock, { json: { kind, value, ...end } })))) return
    setValue('')
    onAdded()
  }

  return (
    <Form className="my-6 max-w-xl" onSubmit={submit}>
      <h2 className="mb-3 text-lg">{words.add}</h2>
      <div className={FIELDS_IN_LINE}>
        <Field label={words.kind}>
          <Select value={kind} onChange={event => setKind(BLOCK_KINDS.find(known => known === event.target.value) ?? 'domain')}>
            {BLOCK_KINDS.map(known => (
              <option key={known} value={known}>
                {words.kinds[known]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={words.value} hint={words.hints[kind]} error={error}>
          <Input autoComplete="off" value={value} onChange={event => setValue(event.target.value)} />
        </Field>
        <Field label={words.hours} hint={words.hoursHint}>
          <Input inputMode="numeric" value={hours} onChange={event => setHours(event.target.value)} />
        </Field>
      </div>
      <Button type="submit" className="mt-2">
        {words.submit}
      </Button>
    </Form>
  )
}

/** Side by side, their labels and fields are in line, whichever has the longer hint. */
const ROWS = 'lg:row-span-4 lg:grid lg:grid-rows-subgrid lg:justify-items-start lg:gap-y-0'
const HINTED = 'w-full lg:*:first:grow lg:*:first:content-start'

/** Destroys an abuser's address or suspends an account. Actions that cannot be undone ask for confirmation in place. */
export function AbuseActions() {
  return (
    <div className="grid gap-x-16 gap-y-8 py-6 max-lg:max-w-xl lg:grid-cols-2">
      <DestroyAddress />
      <AccountActions />
    </div>
  )
}

function DestroyAddress() {
  const { end: words, done } = useTexts('operator')
  const attempt = useAttempt()
  const [address, setAddress] = useState('')
  const { error, isMissing } = useMissing()
  const destroy = async () => {
    if (isMissing(address)) return
    if (await attempt(() => send(destroyAddress, { json: { address } }), done)) setAddress('')
  }
  return (
    <section className={ROWS}>
      <h2 className="mb-3 text-lg">{words.address}</h2>
      <Field label={words.addressLabel} hint={words.addressHint} error={error} className={HINTED}>
        <Input autoComplete="off" value={address} onChange={event => setAddress(event.target.value)} />
      </Field>
      <DestroyButton key={address} isAsking={address.trim() !== ''} onDestroy={() => void destroy()} />
    </section>
  )
}

function AccountActions() {
  const { end: words, done } = useTexts('operator')
  const attempt = useAttempt()
  const [email, setEmail] = useState('')
  const [found, setFound] = useState<AccountFound>()
  const { error, isMissing } = useMissing()
  const find = (json: { email: string }) => attempt(async () => setFound(await request(findAccount, { json })))
  const act = async (work: () => Promise<unknown>) => {
    if (await attempt(work, done)) await find(json)
  }
  const json = { email: found?.email ?? email }
  const destroy = async () => {
    if (await attempt(() => send(destroyAccount, { json }), done)) setFound(undefined)
  }
  return (
    <section className={ROWS}>
      <h2 className="mb-3 text-lg">{words.account}</h2>
      <Form
        className="lg:contents"
        onSubmit={() => {
          setFound(undefined)
          return isMissing(email) || find({ email })
        }}
      >
        <Field label={words.email} hint={words.accountHint} error={error} className={HINTED}>
          <Input type="email" autoComplete="off" value={email} onChange={event => setEmail(event.target.value)} />
        </Field>
        <Button type="submit">{words.find}</Button>
      </Form>
      {found && (
        <div className="mt-4 flex w-full flex-wrap items-center gap-3 rounded-md bg-sunken p-4">
          <p className="w-full">
            <NamesUnbroken text={`${found.email} · ${found.isSuspended ? words.suspended : words.active}`} />
          </p>
          {found.isSuspended ? (
            <Button onClick={() => void act(() => send(resumeAccount, { json }))}>{words.resume}</Button>
          ) : (
            <Button onClick={() => void act(() => send(suspendAccount, { json }))}>{words.suspend}</Button>
          )}
          <DestroyButton key={found.email} onDestroy={() => void destroy()} />
        </div>
      )}
    </section>
  )
}

/** `isAsking`: a second press is needed. Without an address the first only says so. */
function DestroyButton({ isAsking = true, onDestroy }: { isAsking?: boolean; onDestroy: () => void }) {
  const { end: words } = useTexts('operator')
  const [isAsked, setIsAsked] = useState(false)
  return (
    <Button data-delete variant="danger" onClick={() => (isAsked || !isAsking ? onDestroy() : setIsAsked(true))}>
      {isAsked ? words.sure : words.destroy}
    </Button>
  )
}
