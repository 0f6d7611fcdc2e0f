import { useState } from 'react'
import { LANGUAGE_NAMES, LANGUAGES, perLanguage } from '#contract/languages.ts'
import { DIFFICULTY_MAX, NOTICE_CHARS_MAX, type OperatorSettings } from '#contract/operator.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Input } from '#web/components/ui/field.tsx'
import { changeSettings } from '#web/lib/api/operator-api.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { useAttempt } from './attempt.ts'

type Props = { settings: OperatorSettings; onChanged: () => void }

/** Registration, difficulty and notice. Changes reach every process within seconds. */
export function SiteSettings({ settings, onChanged }: Props) {
  const { settings: words, done } = useTexts('operator')
  const attempt = useAttempt()
  const [difficulty, setDifficulty] = useState(String(settings.difficulty))
  const [notice, setNotice] = useState(settings.notice ?? perLanguage(() => ''))
  const change = async (changes: Parameters<typeof changeSettings>[0]) => {
    if (await attempt(() => changeSettings(changes), done)) onChanged()
  }
  const isOpen = settings.isRegistrationOpen

  return (
    <section className="flex max-w-xl flex-col gap-6 py-6">
      <h2 className="text-lg">{words.heading}</h2>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{`${words.registration}: ${isOpen ? words.open : words.closed}`}</p>
        <Button onClick={() => void change({ isRegistrationOpen: !isOpen })}>{isOpen ? words.closeNow : words.openNow}</Button>
      </div>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void change({ difficulty: Number(difficulty) })
        }}
      >
        <Field label={words.difficulty} hint={words.difficultyHint}>
          {control => (
            <Input
              {...control}
              type="number"
              min={1}
              max={DIFFICULTY_MAX}
              value={difficulty}
              onChange={event => setDifficulty(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" className="mt-1">
          {words.set}
        </Button>
      </form>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void change({ notice })
        }}
      >
        <h3 className="font-medium">{words.notice}</h3>
        <p className="mb-3 text-muted text-sm">{words.noticeHint}</p>
        {LANGUAGES.map(language => (
          <Field key={language} label={LANGUAGE_NAMES[language]}>
            {control => (
              <Input
                {...control}
                maxLength={NOTICE_CHARS_MAX}
                value={notice[language]}
                onChange={event => setNotice({ ...notice, [language]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <div className="mt-1 flex flex-wrap gap-3">
          <Button type="submit" disabled={LANGUAGES.some(language => notice[language].trim() === '')}>
            {words.show}
          </Button>
          {settings.notice && <Button onClick={() => void change({ notice: null })}>{words.clear}</Button>}
        </div>
      </form>
    </section>
  )
}
