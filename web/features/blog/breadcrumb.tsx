import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link } from '#web/lib/routing/router.tsx'

/** The last item is the page itself and has no `to`. */
export function Breadcrumb({ steps }: { steps: { name: string; to?: string }[] }) {
  const words = useTexts('blog')
  return (
    <nav aria-label={words.breadcrumb} data-print="never" className="way-back text-muted text-sm">
      <ol className="flex items-center gap-x-2">
        {steps.map(({ name, to }, index) => (
          <li key={name} className="flex items-center gap-x-2 last:min-w-0">
            {index > 0 && <span aria-hidden="true">/</span>}
            {to ? (
              <Link to={to} className="-mx-2.5 inline-flex min-h-11 items-center px-2.5 hover:text-ink">
                {name}
              </Link>
            ) : (
              <span aria-current="page" className="truncate">
                {name}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
