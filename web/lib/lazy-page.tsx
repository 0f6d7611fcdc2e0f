import { type ComponentType, use } from 'react'
import type { Language } from '#contract/limits.ts'
import type { LazyArea } from '#web/texts/catalog.ts'
import { loadTexts } from './i18n.tsx'

export type LazyPage = ComponentType & { preload: (language: Language) => Promise<void> }

/**
 * A page fetched when it is visited, together with its texts. Unlike `React.lazy` it renders at once when it was preloaded, so that a
 * served page is hydrated in one go: nothing suspends, and nothing can fall back to a spinner in between.
 */
export function lazyPage(load: () => Promise<{ default: ComponentType }>, areas: readonly LazyArea[] = []): LazyPage {
  let Page: ComponentType | undefined
  let loading: Promise<void> | undefined

  function fetchPage(): Promise<void> {
    loading ??= load().then(
      module => {
        Page = module.default
      },
      error => {
        loading = undefined
        throw error
      },
    )
    return loading
  }

  function Lazy() {
    if (!Page) use(fetchPage())
    return Page ? <Page /> : null
  }

  return Object.assign(Lazy, {
    preload: async (language: Language) => {
      await Promise.all([fetchPage(), loadTexts(language, areas)])
    },
  })
}
