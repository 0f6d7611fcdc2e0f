import { useCallback, useEffect, useState } from 'react'
import { BLOCK_KINDS, type OperatorBlock } from '#contract/operator.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Input, Select } from '#web/components/ui/field.tsx'
import { addBlock, listBlocks, removeBlock } from '#web/lib/api/operator-api.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { useAttempt } from './attempt.ts'

export function Blocks() {
  const { block: words } = useTexts('operator')
  const { language } = useLanguage()
  const attempt = useAttempt()
  const [blocks, setBlocks] = useState<readonly OperatorBlock[]>()
  const load = useCallback(() => attempt(async () => setBlocks(await listBlocks())), [attempt])
  useEffect(() => void load(), [load])
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })

  return (
    <>
      <AddBlock onAdded={() => void load()} />
      {blocks?.length === 0 && <p>{words.none}</p>}
      <ul className="divide-y divide-line">
        {blocks?.map(({ id, kind, value, endsAt }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-3">
            <div className="min-w-0">
              <p className="font-mono text-sm [overflow-wrap:anywhere]">{value}</p>
              <p className="text-muted text-sm">
                {`${words.kinds[kind]}, ${endsAt === null ? words.forever : words.until({ time: date.format(new Date(endsAt)) })}`}
              </p>
            </div>
            <Button
              aria-label={`${words.remove} ${value}`}
              className="shrink-0"
              onClick={() => void attempt(() => removeBlock(id)).then(load)}
            >
              {words.remove}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function AddBlock({ onAdded }: { onAdded: () => void }) {
  const { block: words } = useTexts('operator')
  const attempt = useAttempt()
  const [kind, setKind] = useState<(typeof BLOCK_KINDS)[number]>('domain')
  const [value, setValue] = useState('')
  const [hours, setHours] = useState('')

  async function submit() {
    const end = hours.trim() === '' ? {} : { hours: Number(hours) }
    if (!(await attempt(() => addBlock({ kind, value, ...end })))) return
    setValue('')
    onAdded()
  }

  return (
    <form
      noValidate
      className="my-6 max-w-xl"
      onSubmit={event => {
        event.preventDefault()
        void submit()
      }}
    >
      <h2 className="mb-3 text-lg">{words.add}</h2>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field label={words.kind}>
          {control => (
            <Select
              {...control}
              value={kind}
              onChange={event => setKind(BLOCK_KINDS.find(known => known === event.target.value) ?? 'domain')}
            >
              {BLOCK_KINDS.map(known => (
                <option key={known} value={known}>
                  {words.kinds[known]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={words.hours} hint={words.hoursHint}>
          {control => <Input {...control} inputMode="numeric" value={hours} onChange={event => setHours(event.target.value)} />}
        </Field>
      </div>
      <Field label={words.value} hint={words.hints[kind]}>
        {control => <Input {...control} autoComplete="off" value={value} onChange={event => setValue(event.target.value)} />}
      </Field>
      <Button type="submit" className="mt-2" disabled={value.trim() === ''}>
        {words.submit}
      </Button>
    </form>
  )
}
