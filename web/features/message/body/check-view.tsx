import { type ReactNode, useMemo } from 'react'
import type { Message } from '#contract/mailbox.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { type CheckedMessage, checkContent, type ProblemKind } from '../../../../client/check-content.ts'
import { formatSize } from '../attachments.tsx'
import { firstPart } from './body-forms.ts'

/** For those who send the mail: what programs make of it. It requests nothing, so it does not know which links work. */
export default function CheckView({ message }: { message: Message }) {
  const { check: texts } = useTexts('message')
  const { language } = useLanguage()
  const html = useMemo(() => message.html && firstPart(message.html), [message])
  const { problems, unsupported, links, images } = useMemo(() => checkContent({ ...message, html }), [message, html])
  const counts = new Map<ProblemKind, number>()
  for (const problem of problems) if (problem.rule === undefined) counts.set(problem.kind, (counts.get(problem.kind) ?? 0) + 1)
  const warnings = problems.filter(({ rule }) => rule !== undefined)
  const size = (bytes: number) => formatSize(bytes, language)
  return (
    <div className="space-y-6 px-5 py-5 sm:px-6" data-testid="check">
      <p className="max-w-[70ch] text-muted text-sm">{texts.note}</p>
      {html !== message.html && <p>{texts.partOnly}</p>}
      <Section title={texts.problems.title}>
        {problems.length === 0 ? (
          <p>{texts.problems.none}</p>
        ) : (
          <ul className="space-y-1.5">
            {[...counts].map(([kind, count]) => (
              <li key={kind} className="border-dusk border-l-2 pl-3">
                {describe(kind, count)}
              </li>
            ))}
            {warnings.map(({ kind, detail, rule, remedy }) => (
              <li key={`${kind} ${detail}`} className="border-dusk border-l-2 pl-3">
                {Object.entries(texts.warnings).find(([known]) => known === kind)?.[1] ?? remedy}
                <span className="block text-muted text-sm [overflow-wrap:anywhere]">{[rule, detail].filter(Boolean).join(' · ')}</span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {message.html !== undefined && (
        <Section title={texts.unsupported.title}>
          {unsupported.length === 0 ? (
            <p>{texts.unsupported.none}</p>
          ) : (
            <Rows rows={unsupported.map(({ feature, programs }) => ({ name: feature, about: programs.join(', ') }))} />
          )}
        </Section>
      )}
      {links.length > 0 && (
        <Section title={texts.links({ count: links.length })}>
          <Rows rows={links.map(({ url, text }) => ({ name: url, about: text === url ? '' : text }))} />
        </Section>
      )}
      {images.length > 0 && (
        <Section title={texts.images({ count: images.length })}>
          <Rows rows={images.map(image => ({ name: image.url, about: aboutImage(image) }))} />
        </Section>
      )}
      <p className="text-muted text-sm">{texts.source}</p>
    </div>
  )

  function describe(kind: ProblemKind, count: number): string {
    if (kind === 'images_heavy') return texts.problems[kind]({ size: size(images.reduce((sum, { bytes = 0 }) => sum + bytes, 0)) })
    if (kind === 'html_clipped') return texts.problems[kind]({ size: size(new Blob([message.html ?? '']).size) })
    const text = texts.problems[kind]
    return typeof text === 'string' ? text : text({ count })
  }

  function aboutImage({ bytes, error, hasAlt }: CheckedMessage['images'][number]): string {
    const place = error === undefined ? (bytes === undefined ? texts.remote : size(bytes)) : texts.missing
    return hasAlt ? place : `${place} · ${texts.withoutAlt}`
  }
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="pb-2 font-medium">{title}</h3>
      {children}
    </section>
  )
}

function Rows({ rows }: { rows: readonly { name: string; about: string }[] }) {
  return (
    <dl className="divide-y divide-line border-line border-y text-sm">
      {rows.map(({ name, about }) => (
        <div key={name} className="grid gap-x-4 py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
          <dt className="font-mono [overflow-wrap:anywhere]">
            <NamesUnbroken text={name} />
          </dt>
          <dd className="text-muted [overflow-wrap:anywhere]">
            <NamesUnbroken text={about} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
