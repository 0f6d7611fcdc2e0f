import { Button } from '#web/components/ui/button.tsx'
import { ArrowLeft } from '#web/components/ui/lazy-icons.tsx'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link } from '#web/lib/routing/router.tsx'

const LINK = '-mx-2.5 inline-flex min-h-11 items-center rounded-sm px-2.5 text-muted underline-offset-4 hover:text-ink hover:underline'

/** The way back to the app, and the signed-in account. The links to the blog and to Pro are in the header of every page. */
export function ContactHeader() {
  const texts = useTexts('contact')
  const auth = useAuth()
  return (
    <div className="way-back flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <Link to="/" className={`${LINK} gap-2`}>
        <ArrowLeft aria-hidden="true" className="size-4" strokeWidth={1.75} />
        {texts.backToApp}
      </Link>
      {auth.status === 'signed-in' && (
        <div className="flex min-w-0 items-center gap-3">
          <span className="truncate text-sm">
            <span className="sr-only">{texts.signedInAs} </span>
            {auth.email}
          </span>
          <Button className="shrink-0" onClick={() => void auth.signOut().catch(() => auth.refresh())}>
            {texts.signOut}
          </Button>
        </div>
      )}
    </div>
  )
}
