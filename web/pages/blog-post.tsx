import { Head } from '#web/lib/head.tsx'
import { useTexts } from '#web/lib/i18n.tsx'

export default function BlogPostPage() {
  const { blog } = useTexts('meta')
  return (
    <section className="page-width py-12">
      <Head {...blog} path="/blog/why-use-temporary-email" />
      <h1 className="text-2xl">{blog.title}</h1>
    </section>
  )
}
