import { BlogList } from '#web/features/blog/blog-list.tsx'
import { Head } from '#web/lib/head.tsx'
import { useTexts } from '#web/lib/i18n.tsx'

export default function BlogPage() {
  const { blog } = useTexts('meta')
  return (
    <>
      <Head {...blog} path="/blog" />
      <BlogList />
    </>
  )
}
