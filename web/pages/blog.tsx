import { Head } from '#web/lib/head.tsx'
import { useTexts } from '#web/lib/i18n.tsx'

export default function BlogPage() {
  const { blog } = useTexts('meta')
  return (
    <section className="page-width py-12">
      <Head {...blog} path="/blog" />
      <h1 className="text-2xl">{blog.title}</h1>
    </section>
  )
}
