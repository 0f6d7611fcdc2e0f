import { type ComponentType, lazy, type ReactNode, use } from 'react'
import type { Language } from '#contract/languages.ts'
import type { LazyArea } from '#web/texts/catalog.ts'
import { loadTexts } from '../i18n/i18n.tsx'
import { rememberFailure, throwIfFailed } from './failed-loads.ts'

/** A change of the network ends every request under way: what failed is asked for once more before anybody hears of it. */
const RETRY_MS = 300
const fetchTwice = <Module,>(load: () => Promise<Module>) =>
  load().catch(() => new Promise(resolve => setTimeout(resolve, RETRY_MS)).then(load))

/** A component that the page can do without, and does where its code cannot be fetched: the default export of what `load` fetches. */
export const lazyExtra = <Props,>(load: () => Promise<{ readonly default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() => fetchTwice(load).catch(() => ({ default: () => null })))

export type LazyPage<Props = object> = ComponentType<Props> & {
  /** Fetches the code alone. */
  load: () => Promise<unknown>
  preload: (language: Language, pathname: string) => Promise<void>
}
/** A page that needs more than its texts exports a function that fetches it, e.g. the article at this path. */
type PageModule<Name extends string> = Readonly<Record<Name, (props: never) => ReactNode>> & {
  readonly preload?: (language: Language, pathname: string) => Promise<unknown>
}
export type PropsOf<Component> = Component extends (props: infer Props extends object) => ReactNode ? Props : object

/**
 * A page that is fetched when it is visited, together with its texts: the component `name` of what `load` fetches. Unlike `React.lazy`, it
 * renders at once if it was preloaded, so that a served page hydrates in one go: nothing suspends and no spinner appears. React also drops
 * the served `<title>` of a page that suspends during hydration.
 */
export function lazyPage<Name extends string, Module extends PageModule<Name>>(
  load: () => Promise<Module>,
  name: Name,
  areas: readonly LazyArea[] = [],
): LazyPage<PropsOf<Module[Name]>> {
  type Props = PropsOf<Module[Name]>
  let Page: ComponentType<Props> | undefined
  let loading: Promise<Module> | undefined

  function fetchPage(): Promise<Module> {
    loading ??= fetchTwice(load).then(
      module => {
        Page = module[name] as unknown as ComponentType<Props>
        return module
      },
      error => {
        loading = undefined
        rememberFailure(fetchPage, error)
        throw error
      },
    )
    return loading
  }

  function Lazy(props: Props) {
    if (!Page) {
      throwIfFailed(fetchPage)
      use(fetchPage())
    }
    return Page ? <Page {...props} /> : null
  }

  return Object.assign(Lazy, {
    load: fetchPage,
    preload: async (language: Language, pathname: string) => {
      const page = fetchPage().then(module => module.preload?.(language, pathname))
      await Promise.all([page, loadTexts(language, areas)])
    },
  })
}
