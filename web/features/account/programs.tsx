/** Programs reach the account by its API keys, and are told of mail by webhooks. */
import { useState } from 'react'
import type { AccountProof, ApiKey } from '#contract/account.ts'
import { API_KEY_NAME_CHARS } from '#contract/limits.ts'
import type { Webhook } from '#contract/notifications.ts'
import { ONE_LINE } from '#contract/text-patterns.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button, CopyButton } from '#web/components/ui/button.tsx'
import { Field, Form, Input } from '#web/components/ui/field.tsx'
import { StatusDot } from '#web/components/ui/status-dot.tsx'
import { createApiKey, listApiKeys, listWebhooks, removeWebhook, revokeApiKey } from '#web/lib/api/account-routes.ts'
import { ProblemError, request, send } from '#web/lib/api/request.ts'
import { regional } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { siteOrigin } from '#web/lib/site/page-tags.ts'
import { FORM, Section } from './addresses.tsx'
import { ProofForm } from './passkeys.tsx'
import { useAccountList, useQuestion } from './settings-parts.ts'

const readKeys = async () => (await request(listApiKeys, {})).keys
const readWebhooks = async () => (await request(listWebhooks, {})).webhooks

/** For what is shown below a button that somebody has just pressed. */
function bringIntoView(panel: HTMLElement | null): void {
  panel?.focus({ preventScroll: true })
  panel?.scrollIntoView({ block: 'nearest' })
}

export function AccountApiKeys({ hasPasskey }: { readonly hasPasskey: boolean }) {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const { list: keys, attempt, change, reload } = useAccountList(texts.keyFailed, readKeys)
  const [secret, setSecret] = useState<string>()
  const [name, setName] = useState('')
  const question = useQuestion()
  const [isMissing, setIsMissing] = useState(false)
  const isListable = ONE_LINE.test(name.trim())

  const create = async (proof?: AccountProof) => {
    const { key } = await request(createApiKey, { json: { name, ...(proof && { proof }) } })
    setName('')
    question.close()
    // The key comes after its row, which would push it out of view again.
    await reload()
    setSecret(key)
  }
  const createOrAsk = async () => {
    if (!isListable) return
    if (name.trim() === '') return setIsMissing(true)
    await create().catch(error => {
      if (error instanceof ProblemError && error.code === 'proof_required') question.open()
      else throw error
    })
  }

  return (
    <Section id="api-keys" title={texts.keys} hint={texts.keysHint}>
      <Example apiKey={secret ?? 'API_KEY'} />
      {keys?.length === 0 && <p className="mb-5">{texts.noKeys}</p>}
      {keys && keys.length > 0 && <KeyList keys={keys} onRevoke={id => change(() => send(revokeApiKey, { params: { id } }))} />}
      <Form className={FORM} onSubmit={() => attempt(createOrAsk)}>
        <Field
          label={texts.keyName}
          hint={texts.keyNameHint}
          error={isMissing ? texts.keyNameMissing : !isListable && texts.keyNameError}
          className="w-full"
        >
          <Input
            value={name}
            onChange={event => {
              setName(event.target.value)
              question.close()
              setIsMissing(false)
            }}
            maxLength={API_KEY_NAME_CHARS.max}
            autoComplete="off"
          />
        </Field>
        {!question.isOpen && (
          <Button type="submit" ref={question.opener}>
            {texts.createKey}
          </Button>
        )}
      </Form>
      {question.isOpen && (
        <div ref={bringIntoView} tabIndex={-1} className="mt-5 scroll-mb-5">
          <p className="mb-4">{errors.proof_required}</p>
          <ProofForm
            label={texts.createKey}
            working={texts.creatingKey}
            failed={texts.keyFailed}
            hasPasskey={hasPasskey}
            onProven={create}
            onClose={question.close}
          />
        </div>
      )}
      {secret && (
        <div
          key={secret}
          ref={bringIntoView}
          tabIndex={-1}
          role="status"
          className="mt-5 scroll-mb-5 rounded-md border border-dusk bg-sunken p-4"
        >
          <p className="font-medium">{texts.keyCreated}</p>
          <p className="text-muted text-sm">{texts.keyCreatedText}</p>
          <p className="my-3 break-all font-mono text-sm">{secret}</p>
          <CopyButton text={secret} />
        </div>
      )}
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it sideways */}
      <pre tabIndex={0} className="mt-2 overflow-x-auto rounded-md bg-sunken px-4 py-3 font-mono text-sm">
        {command}
      </pre>
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
  const date = new Intl.DateTimeFormat(regional(language), { dateStyle: 'medium' })
  const shown = (time: string) => date.format(new Date(time))
  return (
    <ul className="mb-6 divide-y divide-line">
      {keys.map(key => (
        <li key={key.id} className="list-row py-3">
          <div className="min-w-0">
            <p className="[overflow-wrap:anywhere]">{key.name}</p>
            <p className="text-muted text-sm">
              <span className="font-mono">{key.prefix}…</span>
              {` ${texts.createdAt({ date: shown(key.createdAt) })}, `}
              {key.lastUsedAt ? texts.lastUsedAt({ date: shown(key.lastUsedAt) }) : texts.neverUsed}
            </p>
          </div>
          <Button
            data-delete
            aria-label={`${texts.revoke} ${key.name}`}
            className="danger-quiet! shrink-0"
            onClick={() => void onRevoke(key.id)}
          >
            {texts.revoke}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Scripts create them with an API key; here they are seen and removed. */
export function AccountWebhooks() {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const { list: webhooks, change } = useAccountList(errors.title, readWebhooks)
  return (
    <Section id="webhooks" title={texts.webhooks} hint={texts.webhooksHint}>
      {webhooks?.length === 0 && <p className="mb-2">{texts.noWebhooks}</p>}
      <ul className="divide-y divide-line">
        {webhooks?.map(({ id, url, ...state }) => (
          <li key={id} className="list-row py-3">
            <div className="min-w-0">
              <p className="font-mono text-sm [overflow-wrap:anywhere]">
                <NamesUnbroken text={url} />
              </p>
              <WebhookState {...state} />
            </div>
            <Button
              aria-label={`${texts.removeWebhook} ${url}`}
              data-delete
              className="danger-quiet! shrink-0"
              onClick={() => void change(() => send(removeWebhook, { params: { id } }))}
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
