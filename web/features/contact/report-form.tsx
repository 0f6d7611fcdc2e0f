import { useState } from 'react'
import { ABUSE_KINDS, type AbuseReport, abuseReportSchema } from '#contract/site.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Form, Input, Select, TextArea } from '#web/components/ui/field.tsx'
import { send } from '#web/lib/api/request.ts'
import { reportAbuse } from '#web/lib/api/site-routes.ts'
import { obtainBotCheck, sendChecked } from '#web/lib/bot-check/bot-check.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText } from '#web/lib/notify/failure-toast.ts'

const EMPTY = { kind: 'spam', address: '', message: '', email: '' }
type Values = typeof EMPTY

const toReport = ({ email, ...values }: Values) => abuseReportSchema.safeParse({ ...values, ...(email.trim() !== '' && { email }) })

/** A failure keeps the text. */
export function ReportForm() {
  const texts = useTexts('report')
  const errors = useTexts('errors')
  const isHydrated = useHydrated()
  const [values, setValues] = useState(EMPTY)
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set())
  const [state, setState] = useState<'writing' | 'sending' | 'sent'>('writing')
  const [failure, setFailure] = useState<string>()
  const set = (name: keyof Values) => (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value })

  async function submit() {
    const report = toReport(values)
    setWrong(new Set(report.success ? [] : report.error.issues.map(issue => String(issue.path[0]))))
    if (!report.success) return
    setState('sending')
    setFailure(undefined)
    try {
      await sendReport(report.data)
      setState('sent')
    } catch (error) {
      setFailure(problemText(error, errors))
      setState('writing')
    }
  }

  if (state === 'sent') {
    return (
      <div role="status" className="rounded-md bg-river-wash p-5">
        <p className="font-medium">{texts.sent}</p>
        <p>{texts.sentText}</p>
      </div>
    )
  }
  return (
    <Form method="post" onSubmit={submit}>
      <fieldset disabled={state === 'sending' || !isHydrated} className="flex flex-col">
        <Field label={texts.kind}>
          <Select value={values.kind} onChange={set('kind')}>
            {ABUSE_KINDS.map(kind => (
              <option key={kind} value={kind}>
                {texts.kinds[kind]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={texts.address} hint={texts.addressHint} error={wrong.has('address') && texts.addressError}>
          <Input autoComplete="off" value={values.address} onChange={set('address')} />
        </Field>
        <Field label={texts.message} hint={texts.messageHint} error={wrong.has('message') && texts.messageError}>
          <TextArea rows={6} value={values.message} onChange={set('message')} />
        </Field>
        <Field label={texts.email} error={wrong.has('email') && texts.emailError}>
          <Input type="email" autoComplete="email" value={values.email} onChange={set('email')} />
        </Field>
        {failure !== undefined && <p role="alert" className="text-ember-ink">{`${texts.failed}. ${failure}`}</p>}
        <Button type="submit" variant="primary" size="lg" disabled={state === 'sending'}>
          {state === 'sending' ? texts.sending : texts.send}
        </Button>
      </fieldset>
    </Form>
  )
}

async function sendReport(report: AbuseReport): Promise<void> {
  const botCheck = await obtainBotCheck('report')
  await sendChecked('report', { ...report, ...(botCheck !== undefined && { botCheck }) }, json => send(reportAbuse, { json }))
}
