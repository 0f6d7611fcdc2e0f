import type { ReactNode } from 'react'
import { InnerPage } from '#web/components/layout/inner-page.tsx'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { LegalSection } from '#web/texts/en/legal.ts'

type Texts = {
  heading: string
  runBy: (p: { operator: string }) => string
  /** Before the support address, where the operator has given no name: the page must not claim that somebody answers. */
  unnamed: string
  sections: readonly LegalSection[]
  changed: string
  ask: string
}

/** A text page that says who runs the service and how to reach them. */
export function PlainPage({ texts, children }: { texts: Texts; children?: ReactNode }) {
  const { operatorName, contactDays } = useSiteConfig()
  // The prerendered page knows neither the name nor the period, and must not state another deployment's.
  const isHydrated = useHydrated()
  return (
    <InnerPage>
      <div className="max-w-2xl">
        <h1 className="text-2xl">{texts.heading}</h1>
        <p className="mt-3 min-h-[2lh] text-lg text-muted" data-testid="operator">
          {isHydrated && operatorName === '' && (
            <>
              {`${texts.unnamed} `}
              <SupportAddress />
            </>
          )}
          {isHydrated && operatorName !== '' && texts.runBy({ operator: operatorName })}
        </p>
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
                    <p>{typeof point[1] === 'string' ? point[1] : point[1]({ contactDays: isHydrated ? contactDays : undefined })}</p>
                  </li>
                ),
              )}
            </ul>
          </div>
        ))}
        {children}
        <p className="mt-9 text-muted">
          {`${texts.ask} `}
          <SupportAddress />
        </p>
        <p className="mt-2 text-muted text-sm">{texts.changed}</p>
      </div>
    </InnerPage>
  )
}

function SupportAddress() {
  const { supportEmail } = useSiteConfig()
  // The prerendered page would show another deployment's.
  if (!useHydrated()) return null
  return (
    <a href={`mailto:${supportEmail}`} className="inline-block max-w-full text-ink underline underline-offset-4 [overflow-wrap:anywhere]">
      {supportEmail}
    </a>
  )
}
