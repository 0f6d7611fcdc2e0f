import { Head } from '#web/lib/head.tsx'
import { useTexts } from '#web/lib/i18n.tsx'

export default function AuthPage() {
  const { auth } = useTexts('meta')
  return (
    <section className="page-width py-12">
      <Head {...auth} path="/auth" />
      <h1 className="text-2xl">{auth.title}</h1>
    </section>
  )
}
