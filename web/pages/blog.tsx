import { BlogList } from '#web/features/blog/blog-list.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'

export default function BlogPage() {
  const { meta: blog } = useTexts('blog')
  return (
    <>
      <Head {...blog} path="/blog" />
      <BlogList />
    </>
  )
}
