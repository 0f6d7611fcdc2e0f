import { Benefits } from '#web/features/home/benefits.tsx'
import { Head } from '#web/lib/head.tsx'
import { useTexts } from '#web/lib/i18n.tsx'

export default function HomePage() {
  const words = useTexts('home')
  const { home } = useTexts('meta')
  return (
    <>
      <Head {...home} path="/" />
      <div className="page-width grid gap-8 pt-4 lg:grid-cols-2 lg:gap-16 lg:pt-14">
        <div className="flex flex-col gap-5 max-lg:order-2">
          <h1 className="text-3xl">{words.headline}</h1>
          <p className="max-w-[34ch] text-lg text-muted">{words.subheadline}</p>
          <Benefits />
        </div>
        <section id="email-generator" aria-label={words.generator} />
      </div>
    </>
  )
}
