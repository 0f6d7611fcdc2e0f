import { type ReactNode, useState } from 'react'
import { Button, CopyButton } from '#web/components/ui/button.tsx'
import { Field, Form, Input } from '#web/components/ui/field.tsx'
import { QrDrawing } from '#web/components/ui/qr-drawing.tsx'
import { confirmSecondFactor, enrolSecondFactor, passSecondFactor } from '#web/lib/api/operator-routes.ts'
import { request, send } from '#web/lib/api/request.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText } from '#web/lib/notify/failure-toast.ts'

/** Sets up a second factor on the first visit, and asks for its code on every later one. */
export function SecondFactorStep({ isEnrolled, onVerified }: { isEnrolled: boolean; onVerified: () => void }) {
  const { factor } = useTexts('operator')
  const [enrolment, setEnrolment] = useState<{ secret: string; url: string }>()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()

  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onKept={onVerified} />
  if (isEnrolled) {
    return (
      <OneField
        title={factor.verify}
        label={factor.code}
        hint={factor.codeHint}
        button={factor.confirm}
        isCode
        onSubmit={async code => {
          await send(passSecondFactor, { json: { code } })
          onVerified()
        }}
      />
    )
  }
  if (!enrolment) {
    return (
      <OneField
        title={factor.enrol}
        label={factor.password}
        hint={factor.enrolHint}
        button={factor.begin}
        onSubmit={async password => setEnrolment(await request(enrolSecondFactor, { json: { password } }))}
      />
    )
  }
  return (
    <OneField
      key="confirm"
      title={factor.enrol}
      label={factor.code}
      button={factor.confirm}
      isCode
      onSubmit={async code => setRecoveryCodes((await request(confirmSecondFactor, { json: { code } })).recoveryCodes)}
    >
      <p>{factor.scan}</p>
      <QrDrawing text={enrolment.url} label={factor.qr} />
      <p className="break-all font-mono text-sm">{enrolment.secret}</p>
      <CopyButton text={enrolment.secret} />
    </OneField>
  )
}

type OneFieldProps = {
  title: string
  label: string
  hint?: string
  button: string
  isCode?: boolean
  onSubmit: (value: string) => Promise<void>
  children?: ReactNode
}

function OneField({ title, label, hint, button, isCode = false, onSubmit, children }: OneFieldProps) {
  const errors = useTexts('errors')
  const { factor } = useTexts('operator')
  const [value, setValue] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)

  async function submit() {
    if (value.trim() === '') return setError(isCode ? factor.codeMissing : factor.passwordMissing)
    setIsBusy(true)
    setError(undefined)
    try {
      await onSubmit(value)
    } catch (problem) {
      setError(problemText(problem, errors))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Form className="flex max-w-md flex-col items-start gap-4" onSubmit={submit}>
      <h2 className="text-lg">{title}</h2>
      {children}
      <Field label={label} hint={hint} error={error} className="w-full">
        <Input
          type={isCode ? 'text' : 'password'}
          autoComplete={isCode ? 'one-time-code' : 'current-password'}
          value={value}
          onChange={event => setValue(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" disabled={isBusy}>
        {button}
      </Button>
    </Form>
  )
}

function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { factor } = useTexts('operator')
  return (
    <div className="flex flex-col items-start gap-4">
      <h2 className="text-lg">{factor.recovery}</h2>
      <p>{factor.recoveryHint}</p>
      <ul className="grid gap-x-8 gap-y-1 rounded-md bg-sunken p-4 font-mono text-sm sm:grid-cols-2">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={codes.join('\n')} />
        <Button variant="primary" onClick={onKept}>
          {factor.kept}
        </Button>
      </div>
    </div>
  )
}
