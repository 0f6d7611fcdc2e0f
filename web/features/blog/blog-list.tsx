import { clsx } from 'clsx'
import { Mark } from '#web/components/drawings/drawing.tsx'
import { EmptyWater } from '#web/components/drawings/pictures.ts'
import { InnerPage } from '#web/components/layout/inner-page.tsx'
import { ButtonLink } from '#web/components/ui/button.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { formatTimeLeft, useSecondsLeft } from '#web/lib/mailbox/countdown.ts'
import { useLiveAddress } from '#web/lib/mailbox/use-live-address.ts'
import type { PostMeta } from './post.ts'
import { Breadcrumb, PostCard } from './post-card.tsx'
import { listPosts } from './posts.ts'
import { useAllViewCounts } from './view-counts.ts'

/** The page `/blog`. `posts`: the site's articles unless passed in. */
export function BlogList({ posts }: { posts?: PostMeta[] }) {
  const words = useTexts('blog')
  const { language } = useLanguage()
  return (
    <InnerPage>
      <Breadcrumb steps={[{ name: words.home, to: '/' }, { name: words.blog }]} />
      <h1 className="text-2xl">{words.title}</h1>
      <p className="mt-2 mb-8 max-w-[46ch] text-lg text-muted">{words.intro}</p>
      <CallToAction />
      <Posts posts={posts ?? listPosts(language)} />
    </InnerPage>
  )
}

function Posts({ posts }: { posts: PostMeta[] }) {
  const words = useTexts('blog')
  const viewsOf = useAllViewCounts()
  if (posts.length === 0)
    return (
      <div className="mt-14 flex flex-col items-center gap-6 text-muted">
        <EmptyWater className="w-full max-w-80" />
        <p>{words.empty}</p>
      </div>
    )
  return (
    <ul className="mt-14 grid gap-x-10 gap-y-14 md:grid-cols-2">
      {posts.map(post => (
        <li key={post.id}>
          <PostCard post={post} views={viewsOf(post.id)} />
        </li>
      ))}
    </ul>
  )
}

/** Offers an address, or leads back to the one that the visitor has. */
function CallToAction() {
  const { callToAction } = useTexts('blog')
  const address = useLiveAddress()
  const { live } = callToAction
  return (
    <aside
      aria-label={address ? live.label : callToAction.title}
      className="flex flex-wrap gap-3 rounded-lg border border-line bg-raised p-4 huge-text:flex-col sm:items-center sm:gap-6 sm:p-8"
    >
      <Mark className="size-8 shrink-0 sm:size-14" />
      {/* Both in the same place, so that nothing below moves when one takes the place of the other. */}
      <div className="grid min-w-[min(100%,10rem)] flex-1 *:[grid-area:1/1]">
        <div className={clsx(address && 'invisible')}>
          <p className="font-semibold text-lg">{callToAction.title}</p>
          <p className="text-muted max-sm:text-sm">{callToAction.text}</p>
        </div>
        {address && <Live address={address} />}
      </div>
      <ButtonLink to="/" variant="primary" className="max-sm:w-full">
        {address ? live.button : callToAction.button}
      </ButtonLink>
    </aside>
  )
}

function Live({ address }: { address: StoredAddress }) {
  const { live } = useTexts('blog').callToAction
  const seconds = useSecondsLeft(address.deadlineMs)
  return (
    <div className="min-w-0 sm:self-center">
      <p className="figures font-semibold text-lg">{live.title({ time: formatTimeLeft(seconds) })}</p>
      <p className="truncate font-mono text-muted text-sm">{address.email}</p>
    </div>
  )
}
