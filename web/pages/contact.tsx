import { Head } from '#web/lib/head.tsx'
import { useTexts } from '#web/lib/i18n.tsx'

export default function ContactPage() {
  const { contact } = useTexts('meta')
  return (
    <section className="page-width py-12">
      <Head {...contact} path="/contact" />
      <h1 className="text-2xl">{contact.title}</h1>
    </section>
  )
}
