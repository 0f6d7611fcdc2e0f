import type { ReactNode } from 'react'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

/** What something is, and what becomes of it. */
type Row = readonly [subject: string, fate: string]

type Texts = {
  heading: string
  runBy: (p: { operator: string }) => string
  sections: readonly { title: string; points: readonly (string | Row)[] }[]
  ask: string
}

/** A text page that says who runs the service and how to reach them. */
export function PlainPage({ texts, children }: { texts: Texts; children?: ReactNode }) {
  const { siteName, operatorName, supportEmail } = useSiteConfig()
  return (
    <section className="page-width pt-2.5 pb-16">
      <div className="mx-auto max-w-[42rem]">
        <h1 className="text-2xl">{texts.heading}</h1>
        <p className="mt-3 text-lg text-muted">{texts.runBy({ operator: operatorName || siteName })}</p>
        {texts.sections.map(({ title, points }) => (
          <div key={title} className="mt-9">
            <h2 className="text-xl">{title}</h2>
            <ul className="mt-2">
              {points.map(point =>
                typeof point === 'string' ? (
                  <li key={point} className="border-line border-b py-3">
                    {point}
                  </li>
                ) : (
                  <li key={point[0]} className="gap-x-6 border-line border-b py-3 sm:grid sm:grid-cols-[12rem_minmax(0,1fr)]">
                    <p className="font-medium">{point[0]}</p>
                    <p>{point[1]}</p>
                  </li>
                ),
              )}
            </ul>
          </div>
        ))}
        {children}
        <p className="mt-9 text-muted">
          {`${texts.ask} `}
          <a
            href={`mailto:${supportEmail}`}
            className="inline-block max-w-full text-ink underline underline-offset-4 [overflow-wrap:anywhere]"
          >
            {supportEmail}
          </a>
        </p>
      </div>
    </section>
  )
}
