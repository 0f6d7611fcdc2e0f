import type { ReactNode } from 'react'
import { FieldAtDusk } from '#web/components/drawings/pictures.ts'
import { InnerPage, WayBack } from '#web/components/layout/inner-page.tsx'
import { buttonClass } from '#web/components/ui/button.tsx'
import { Download } from '#web/components/ui/lazy-icons.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'

/** Packed by scripts/build/build-extension.ts. */
const ARCHIVE = '/mayfly-extension.zip'

/** What the browser extension does, how to install it, and how it learns of this site: its icon is pressed on this page. */
export default function ExtensionPage() {
  const texts = useTexts('extension')
  const { language } = useLanguage()
  return (
    <>
      <Head {...texts.meta} path="/extension" image={`/social/home-${language}.png`} />
      <InnerPage>
        <WayBack />
        <div className="max-w-2xl lg:grid lg:max-w-none lg:grid-cols-[3fr_2fr] lg:gap-x-[min(6vw,5rem)]">
          <div>
            <h1 className="text-2xl">{texts.heading}</h1>
            <p className="mt-3 text-lg text-muted">{texts.lead}</p>
            <p className="mt-4 rounded-md bg-dusk-wash px-4 py-3 sm:hidden">{texts.forComputers}</p>
            <ul className="mt-6">
              {texts.does.map(([what, how]) => (
                <Row key={what} name={what}>
                  {how}
                </Row>
              ))}
            </ul>
            <h2 className="mt-9 text-xl">{texts.install}</h2>
            <ol className="mt-2 list-decimal pl-5 marker:text-muted huge-text:list-inside huge-text:pl-0">
              <li className="border-line border-b py-3 pl-1">
                <p>{texts.download}</p>
                <a href={ARCHIVE} download className={buttonClass('primary', 'md', 'mt-3 max-w-full whitespace-normal!')}>
                  <Download aria-hidden="true" strokeWidth={1.75} />
                  {texts.downloadButton}
                </a>
              </li>
              <li className="border-line border-b py-3 pl-1">
                <p>{texts.chromium}</p>
                <p className="mt-2">{texts.firefox}</p>
              </li>
              <li className="border-line border-b py-3 pl-1">{texts.handOver}</li>
            </ol>
            <h2 className="mt-9 text-xl">{texts.may}</h2>
            <p className="mt-2">{texts.mayText}</p>
          </div>
          <div className="self-start max-lg:mt-8 lg:sticky lg:top-8">
            <FieldAtDusk className="cover w-full rounded-lg max-lg:hidden" />
            <picture>
              <source srcSet={`/extension-${language}-dark.webp`} media="(prefers-color-scheme: dark)" />
              <img
                src={`/extension-${language}-light.webp`}
                alt={texts.popup}
                width={360}
                height={523}
                loading="lazy"
                className="relative mx-auto h-auto w-[min(100%,22.5rem)] rounded-lg border border-line shadow-lift lg:-mt-10"
              />
            </picture>
          </div>
        </div>
      </InnerPage>
    </>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li className="gap-x-6 border-line border-b py-3 sm:grid sm:grid-cols-[12rem_minmax(0,1fr)]">
      <p className="font-medium">{name}</p>
      <p>{children}</p>
    </li>
  )
}
