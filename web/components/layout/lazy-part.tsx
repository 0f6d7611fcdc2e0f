import { Component, type ComponentType, type ReactNode, Suspense } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { forgetFailures } from '#web/lib/routing/failed-loads.ts'
import { lazyPage, type PropsOf } from '#web/lib/routing/lazy-page.tsx'

/**
 * A part of a page whose code is fetched when it is shown. If that fails, because the network is gone or a newer build replaced the files,
 * only this part is missing: it says so, and tries again at a press and when the network is back.
 */
export function lazyPart<Name extends string, Module extends Readonly<Record<Name, (props: never) => ReactNode>>>(
  load: () => Promise<Module>,
  name: Name,
  placeholder?: ReactNode,
): ComponentType<PropsOf<Module[Name]>> & { preload: () => Promise<void> } {
  const Part = lazyPage(load, name)
  const WithBoundary = (props: PropsOf<Module[Name]>) => (
    <PartBoundary onClose={'onClose' in props ? (props.onClose as () => void) : undefined}>
      <Suspense fallback={placeholder}>
        <Part {...props} />
      </Suspense>
    </PartBoundary>
  )
  /** A failure is shown where the part would be. */
  const preload = () => Part.load().then(noop, noop)
  return Object.assign(WithBoundary, { preload })
}

const noop = () => undefined

class PartBoundary extends Component<{ onClose: (() => void) | undefined; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }
  #retries = 0

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidMount(): void {
    addEventListener('online', this.#show)
  }

  override componentWillUnmount(): void {
    removeEventListener('online', this.#show)
  }

  #show = (): void => {
    if (!this.state.hasFailed) return
    forgetFailures()
    this.setState({ hasFailed: false })
  }

  /** With a network, a file that is missing twice belongs to a build that is gone. A reload fetches the new one. */
  #retry = (): void => {
    if (this.#retries++ > 0 && navigator.onLine) location.reload()
    else this.#show()
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <PartFailed onRetry={this.#retry} onClose={this.props.onClose} /> : this.props.children
  }
}

function PartFailed({ onRetry, onClose }: { onRetry: () => void; onClose: (() => void) | undefined }) {
  const { partFailed, close } = useTexts('layout')
  return (
    <div role="alert" className="night part-failed">
      <p className="w-full pb-3">{partFailed.text}</p>
      <Button variant="primary" onClick={onRetry}>
        {partFailed.retry}
      </Button>
      {onClose && (
        <Button variant="quiet" onClick={onClose}>
          {close}
        </Button>
      )}
    </div>
  )
}
