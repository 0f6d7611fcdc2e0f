import type { ReactNode } from 'react'
import { ArrowLeft } from '#web/components/ui/later-icons.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link } from '#web/lib/routing/router.tsx'

/** The narrow column around all account forms, with a link to the home page. */
export function AuthFrame({ heading, lead, children }: { heading: string; lead: string; children?: ReactNode }) {
  const texts = useTexts('auth')
  return (
    <section className="page-width pt-2 pb-12 sm:py-12">
      <div className="mx-auto max-w-md">
        <Link to="/" className="inline-flex min-h-11 items-center gap-2 text-muted hover:text-ink">
          <ArrowLeft aria-hidden="true" className="size-4" strokeWidth={1.75} />
          {texts.back}
        </Link>
        <h1 className="mt-3 text-2xl">{heading}</h1>
        <p className="mt-2 mb-6 text-muted">{lead}</p>
        {children}
      </div>
    </section>
  )
}
