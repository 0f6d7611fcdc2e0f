import { useState } from 'react'
import { Button, ButtonLink } from '#web/components/ui/button.tsx'
import { confirmEmail } from '#web/lib/api/account-api.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { useLinkToken } from '#web/lib/auth/link-token.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { useProblemText } from './use-problem-text.ts'

type Step = 'ready' | 'working' | 'done' | 'failed'

/** The button uses the link up, by POST: programs that scan mail open links, but press no buttons. */
export function ConfirmPanel() {
  const { confirm: texts, signIn } = useTexts('auth')
  const problemText = useProblemText()
  const token = useLinkToken()
  const [step, setStep] = useState<Step>('ready')
  const [problem, setProblem] = useState<string>()

  async function press() {
    if (token === undefined) return setStep('failed')
    setStep('working')
    setProblem(undefined)
    try {
      await confirmEmail(token)
      setStep('done')
    } catch (error) {
      const isDead = error instanceof ProblemError && error.code === 'link_expired'
      if (!isDead) setProblem(problemText(error))
      setStep(isDead ? 'failed' : 'ready')
    }
  }

  if (step === 'done' || step === 'failed') {
    return (
      <AuthFrame heading={texts[step]} lead={step === 'done' ? texts.doneText : texts.failedText}>
        <ButtonLink to="/auth" variant="primary" size="lg" className="w-full">
          {signIn}
        </ButtonLink>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame heading={texts.heading} lead={texts.lead}>
      <Button variant="primary" size="lg" className="w-full" disabled={step === 'working'} onClick={press}>
        {step === 'working' ? texts.working : texts.button}
      </Button>
      <p role="alert" className="mt-3 text-ember-ink">
        {problem}
      </p>
    </AuthFrame>
  )
}
