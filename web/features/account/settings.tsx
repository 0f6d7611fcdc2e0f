import { useCallback, useEffect, useState } from 'react'
import type { AccountSession, ApiKey } from '#contract/account.ts'
import { API_KEY_NAME_CHARS } from '#contract/limits.ts'
import type { Webhook } from '#contract/notifications.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button, CopyButton } from '#web/components/ui/button.tsx'
import { Field, Form, Input } from '#web/components/ui/field.tsx'
import { StatusDot } from '#web/components/ui/status-dot.tsx'
import {
  createApiKey,
  endSession,
  forgotPassword,
  listApiKeys,
  listSessions,
  listWebhooks,
  removeWebhook,
  revokeApiKey,
} from '#web/lib/api/account-routes.ts'
import { request, send } from '#web/lib/api/request.ts'
import { signOut, signOutEverywhere } from '#web/lib/auth/sign-in.ts'
import { dateAndTime } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText, showFailure } from '#web/lib/notify/failure-toast.ts'
import { siteOrigin } from '#web/lib/site/page-tags.ts'
import { FORM, Section } from './addresses.tsx'

export function AccountApiKeys() {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const [keys, setKeys] = useState<readonly ApiKey[]>()
  const [secret, setSecret] = useState<string>()
  const [name, setName] = useState('')

  const attempt = useCallback(
    async (work: () => Promise<unknown>) => {
      try {
        await work()
        setKeys((await request(listApiKeys, {})).keys)
      } catch (error) {
        showFailure(texts.keyFailed, problemText(error, errors))
      }
    },
    [texts, errors],
  )
  useEffect(() => void attempt(async () => undefined), [attempt])

  const create = () =>
    attempt(async () => {
      const created = await request(createApiKey, { json: { name } })
      setSecret(created.key)
      setName('')
    })

  return (
    <Section id="api-keys" title={texts.keys} hint={texts.keysHint}>
      {secret && (
        <div role="status" className="mb-5 rounded-md border border-dusk bg-sunken p-4">
          <p className="font-medium">{texts.keyCreated}</p>
          <p className="text-muted text-sm">{texts.keyCreatedText}</p>
          <p className="my-3 break-all font-mono text-sm">{secret}</p>
          <CopyButton text={secret} />
        </div>
      )}
      <Example apiKey={secret ?? 'API_KEY'} />
      {keys?.length === 0 && <p className="mb-5">{texts.noKeys}</p>}
      {keys && keys.length > 0 && <KeyList keys={keys} onRevoke={id => attempt(() => send(revokeApiKey, { params: { id } }))} />}
      <Form className={FORM} onSubmit={create}>
        <Field label={texts.keyName} hint={texts.keyNameHint} className="w-full">
          {control => (
            <Input
              {...control}
              value={name}
              onChange={event => setName(event.target.value)}
              maxLength={API_KEY_NAME_CHARS.max}
              autoComplete="off"
            />
          )}
        </Field>
        <Button type="submit" disabled={name.trim() === ''}>
          {texts.createKey}
        </Button>
      </Form>
    </Section>
  )
}

/** A command to try, with the new key while it is shown. */
function Example({ apiKey }: { apiKey: string }) {
  const texts = useTexts('account')
  const headers = [`Authorization: Bearer ${apiKey}`, 'Content-Type: application/json'].map(header => `-H '${header}'`)
  // A line for each, because a phone would break one line after a hyphen.
  const command = [`curl -X POST ${siteOrigin()}/api/mailboxes`, ...headers, `-d '{}'`].join(' \\\n  ')
  return (
    <div className="mb-5" data-testid="api-example">
      <p>{texts.keyExample}</p>
      <pre className="mt-2 rounded-md bg-sunken px-4 py-3 font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">{command}</pre>
      <div className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-2">
        <CopyButton text={command}>{texts.copyExample}</CopyButton>
        <a href="/api/docs" className="inline-flex min-h-11 items-center underline underline-offset-4">
          {texts.apiGuide}
        </a>
      </div>
    </div>
  )
}

function KeyList({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke: (id: string) => Promise<void> }) {
  const texts = useTexts('account')
  const { language } = useLanguage()
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  const shown = (time: string) => date.format(new Date(time))
  return (
    <ul className="mb-6 divide-y divide-line">
      {keys.map(key => (
        <li key={key.id} className="flex items-center justify-between gap-4 py-3">
          <div className="min-w-0">
            <p className="[overflow-wrap:anywhere]">{key.name}</p>
            <p className="text-muted text-sm">
              <span className="font-mono">{key.prefix}…</span>
              {` ${texts.createdAt({ date: shown(key.createdAt) })}, `}
              {key.lastUsedAt ? texts.lastUsedAt({ date: shown(key.lastUsedAt) }) : texts.neverUsed}
            </p>
          </div>
          <Button aria-label={`${texts.revoke} ${key.name}`} className="danger-quiet! shrink-0" onClick={() => void onRevoke(key.id)}>
            {texts.revoke}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Where the account is signed in. */
export function Devices() {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const [sessions, setSessions] = useState<readonly AccountSession[]>()
  const attempt = useCallback(
    async (work: () => Promise<unknown>) => {
      try {
        await work()
      } catch (error) {
        showFailure(errors.title, problemText(error, errors))
      }
    },
    [errors],
  )
  const load = useCallback(() => attempt(async () => setSessions((await request(listSessions, {})).sessions)), [attempt])
  useEffect(() => void load(), [load])
  const end = ({ id, isCurrent }: AccountSession) =>
    isCurrent ? attempt(signOut) : attempt(() => send(endSession, { params: { id } })).then(load)

  return (
    <Section id="devices" title={texts.devices} hint={texts.devicesHint}>
      <ul className="mb-6 divide-y divide-line">
        {sessions?.map(session => (
          <DeviceRow key={session.id} session={session} onEnd={() => void end(session)} />
        ))}
      </ul>
      <p className="mb-3 text-muted text-sm">{texts.signOutEverywhereHint}</p>
      <Button className="max-sm:w-full" onClick={() => void attempt(signOutEverywhere)}>
        {texts.signOutEverywhere}
      </Button>
    </Section>
  )
}

function DeviceRow({ session: { device, createdAt, isCurrent }, onEnd }: { session: AccountSession; onEnd: () => void }) {
  const texts = useTexts('account')
  const { language } = useLanguage()
  const [browser, system] = device?.split(' · ') ?? []
  const name = browser && system ? texts.browserOn({ browser, system }) : (device ?? texts.unknownDevice)
  const time = dateAndTime(createdAt, language)
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p>{name}</p>
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">
          {texts.signedInAt({ time })}
          {isCurrent && <StatusDot tone="live">{texts.thisDevice}</StatusDot>}
        </p>
      </div>
      <Button aria-label={`${texts.signOut} ${name}, ${time}`} className="shrink-0" onClick={onEnd}>
        {texts.signOut}
      </Button>
    </li>
  )
}

/** By the link of a forgotten password: a borrowed browser alone changes nothing, and nobody has to know the old one. */
export function ChangePassword({ email }: { email: string }) {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const { language } = useLanguage()
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  async function ask() {
    setState('sending')
    try {
      await send(forgotPassword, { json: { email, language } })
      setState('sent')
    } catch (error) {
      showFailure(texts.changePasswordFailed, problemText(error, errors))
      setState('idle')
    }
  }
  return (
    <Section id="password" title={texts.changePassword} hint={texts.changePasswordHint}>
      <p role="status" className="mb-3 [overflow-wrap:anywhere] empty:hidden">
        {state === 'sent' && <NamesUnbroken text={texts.changePasswordSent({ email })} />}
      </p>
      <Button className="max-sm:w-full" aria-disabled={state === 'sending'} onClick={() => void ask()}>
        {state === 'sent' ? texts.changePasswordAgain : texts.changePasswordButton}
      </Button>
    </Section>
  )
}

/** Scripts create them with an API key; here they are seen and removed. */
export function AccountWebhooks() {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const [webhooks, setWebhooks] = useState<readonly Webhook[]>()
  const attempt = useCallback(
    async (work: () => Promise<unknown>) => {
      try {
        await work()
        setWebhooks((await request(listWebhooks, {})).webhooks)
      } catch (error) {
        showFailure(errors.title, problemText(error, errors))
      }
    },
    [errors],
  )
  useEffect(() => void attempt(async () => undefined), [attempt])
  return (
    <Section id="webhooks" title={texts.webhooks} hint={texts.webhooksHint}>
      {webhooks?.length === 0 && <p className="mb-2">{texts.noWebhooks}</p>}
      <ul className="divide-y divide-line">
        {webhooks?.map(({ id, url, ...state }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-3">
            <div className="min-w-0">
              <p className="font-mono text-sm [overflow-wrap:anywhere]">
                <NamesUnbroken text={url} />
              </p>
              <WebhookState {...state} />
            </div>
            <Button
              aria-label={`${texts.removeWebhook} ${url}`}
              className="danger-quiet! shrink-0"
              onClick={() => void attempt(() => send(removeWebhook, { params: { id } }))}
            >
              {texts.removeWebhook}
            </Button>
          </li>
        ))}
      </ul>
      <a href="/api/docs#createWebhook" className="inline-flex min-h-11 items-center underline underline-offset-4">
        {texts.webhookGuide}
      </a>
    </Section>
  )
}

function WebhookState({ failures, lastFailure = '', disabledReason }: Omit<Webhook, 'id' | 'url'>) {
  const texts = useTexts('account')
  if (disabledReason !== undefined) return <StatusDot tone="danger">{texts.webhookDisabled({ reason: disabledReason })}</StatusDot>
  if (failures > 0) return <StatusDot tone="waiting">{texts.webhookFailing({ count: failures, reason: lastFailure })}</StatusDot>
  return <StatusDot tone="live">{texts.webhookActive}</StatusDot>
}
