import type { ReactNode } from 'react'
import { InnerPage, WayBack } from '#web/components/layout/inner-page.tsx'
import { Address } from '#web/components/ui/address.tsx'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { LegalSection } from '#web/texts/en/legal.ts'

type Texts = {
  heading: string
  runBy: (p: { operator: string }) => string
  /** Before the support address, where the operator has given no name: the page must not claim that somebody answers. */
  unnamed: string
  sections: readonly LegalSection[]
  contactPeriod?: (p: { days: number | undefined }) => string
  changed: string
  ask: string
}

/** Where there is room, its heading stands beside it. */
export const LEGAL_SECTION = 'mt-9 gap-x-10 lg:mt-12 @min-[58rem]:grid @min-[58rem]:grid-cols-[14rem_minmax(0,1fr)]'

/** A text page that says who runs the service and how to reach them. */
export function PlainPage({ texts, children }: { texts: Texts; children?: ReactNode }) {
  const { operatorName, contactDays } = useSiteConfig()
  // The prerendered page knows neither the name nor the period, and must not state another deployment's.
  const isHydrated = useHydrated()
  const contactPeriod = texts.contactPeriod?.({ days: isHydrated ? contactDays : undefined }) ?? ''
  return (
    <InnerPage>
      <WayBack />
      <div className="@container max-lg:max-w-2xl">
        <h1 className="text-2xl">{texts.heading}</h1>
        <p className="mt-3 min-h-[2lh] max-w-2xl text-lg text-muted" data-testid="operator">
          {isHydrated && operatorName === '' && (
            <>
              {`${texts.unnamed} `}
              <SupportAddress />
            </>
          )}
          {isHydrated && operatorName !== '' && texts.runBy({ operator: operatorName })}
        </p>
        {texts.sections.map(({ title, points }) => (
          <div key={title} className={LEGAL_SECTION}>
            <h2 className="text-xl">{title}</h2>
            <ul className="@max-[58rem]:mt-2 @min-[58rem]:[&>li:first-child]:pt-1">
              {points.map(point =>
                typeof point === 'string' ? (
                  <li key={point} className="border-line border-b py-3">
                    <p className="max-w-[68ch]">{point}</p>
                  </li>
                ) : (
                  <li key={point[0]} className="gap-x-6 border-line border-b py-3 sm:grid sm:grid-cols-[12rem_minmax(0,1fr)]">
                    <p className="font-medium">{point[0]}</p>
                    <p>{point[1].replace('{contactPeriod}', contactPeriod)}</p>
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
    <a href={`mailto:${supportEmail}`} aria-label={supportEmail} className="inline-block max-w-full text-ink underline underline-offset-4">
      <Address email={supportEmail} />
    </a>
  )
}
