import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link } from '#web/lib/routing/router.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

const COPYRIGHT_YEAR = 2024

const LINK = '-mx-2 inline-flex min-h-11 items-center px-2 text-muted transition-colors duration-150 ease-out hover:text-ink'

export function SiteFooter() {
  const words = useTexts('layout')
  const texts = useTexts('footer')
  const { siteName, partnerUrl, sourceUrl } = useSiteConfig()
  return (
    <footer data-site className="night border-line border-t">
      <div className="page-width flex flex-col gap-x-10 gap-y-4 py-8 lg:flex-row lg:items-center lg:justify-between">
        <nav
          aria-label={texts.navigation}
          className="flex flex-wrap gap-x-5 max-sm:grid max-sm:grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] lg:order-2"
        >
          <Link to="/" className={LINK}>
            {texts.aboutUs}
          </Link>
          <Link to="/blog" className={LINK}>
            {words.blog}
          </Link>
          <Link to="/contact" className={LINK}>
            {words.contact}
          </Link>
          <Link to="/blog/why-use-temporary-email" className={LINK}>
            {texts.faq}
          </Link>
          <Link to="/extension" className={LINK}>
            {texts.extension}
          </Link>
          {/* Written by the server, so the application has no such page. */}
          <a href="/api/docs" className={LINK}>
            {texts.api}
          </a>
          {partnerUrl && (
            <a href={partnerUrl} target="_blank" rel="noopener" className={LINK}>
              {texts.partner}
            </a>
          )}
          <Link to="/privacy" className={LINK}>
            {texts.privacy}
          </Link>
          <Link to="/terms" className={LINK}>
            {texts.terms}
          </Link>
          {sourceUrl !== undefined && (
            <a href={sourceUrl} target="_blank" rel="noopener" className={LINK}>
              {texts.source}
            </a>
          )}
        </nav>
        <p className="whitespace-nowrap text-muted text-sm lg:order-1">{texts.copyright({ year: COPYRIGHT_YEAR, site: siteName })}</p>
      </div>
    </footer>
  )
}
