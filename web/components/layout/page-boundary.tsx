import { Component, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { forgetFailures } from '#web/lib/routing/failed-loads.ts'

/** Without a network there is no picture, only the words. */
const EmptyWater = lazy(async () => {
  const drawing = await import('#web/components/drawings/empty-water.tsx').catch(() => undefined)
  return { default: drawing?.EmptyWater ?? (() => null) }
})

type Props = {
  /** When it changes, e.g. with the path, the page is rendered again. */
  resetKey: string
  children: ReactNode
}
type State = { hasFailed: boolean; resetKey: string }

/**
 * Shown instead of a page that fails, usually because its code could not be fetched: the network is gone, or a newer build replaced the
 * files. A reload fixes both; header and footer stay.
 */
export class PageBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { hasFailed: false, resetKey }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <PageFailed /> : this.props.children
  }
}

/** Uses only texts that are already loaded, because nothing more may be fetchable. */
function PageFailed() {
  const { pageFailed } = useTexts('layout')
  useEffect(() => forgetFailures, [])
  return (
    <section role="alert" className="page-width flex flex-col items-start pt-8 pb-20 sm:pt-16">
      {/* Replaces the head of the failed page. */}
      <title>{pageFailed.title}</title>
      <div className="aspect-32/19 w-full max-w-sm">
        <Suspense>
          <EmptyWater />
        </Suspense>
      </div>
      <h1 className="mt-8 text-2xl">{pageFailed.title}</h1>
      <p className="mt-3 max-w-[56ch] text-lg text-muted">{pageFailed.text}</p>
      <Button variant="primary" size="lg" className="mt-8" onClick={() => location.reload()}>
        {pageFailed.reload}
      </Button>
    </section>
  )
}
