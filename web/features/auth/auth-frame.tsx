import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { InnerPage } from '#web/components/layout/inner-page.tsx'
import { ArrowLeft } from '#web/components/ui/lazy-icons.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link } from '#web/lib/routing/router.tsx'

type Props = { heading: string; lead: string; children?: ReactNode; aside?: ReactNode }

/** The narrow column around all account forms, with a link to the home page. On a wide screen `aside` is beside it. */
export function AuthFrame({ heading, lead, children, aside }: Props) {
  const texts = useTexts('auth')
  return (
    <InnerPage>
      <div
        className={clsx(
          'max-w-md',
          aside && 'lg:grid lg:max-w-none lg:grid-cols-[minmax(0,9fr)_minmax(0,11fr)] lg:items-start lg:gap-x-[min(7vw,6rem)]',
        )}
      >
        <div>
          <Link to="/" className="way-back flex min-h-11 w-fit items-center gap-2 text-muted hover:text-ink">
            <ArrowLeft aria-hidden="true" className="size-4" strokeWidth={1.75} />
            {texts.back}
          </Link>
          <h1 className="text-2xl">{heading}</h1>
          <p className="mt-2 mb-6 text-muted">{lead}</p>
          {children}
        </div>
        {aside}
      </div>
    </InnerPage>
  )
}
