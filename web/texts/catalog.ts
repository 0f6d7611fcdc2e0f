/**
 * Every text of the site by area and language. The core of the page's language is there before the first paint; every other area is fetched
 * with the page or dialog that needs it.
 */
import type { Language } from '#contract/languages.ts'

const en = () => import('./en/core.ts')
const es: () => Promise<Awaited<ReturnType<typeof en>>> = () => import('./es/core.ts')

export const catalogs: Record<Language, typeof en> = { en, es }

export type Core = Awaited<ReturnType<typeof en>>
type Loaders = Core['lazyAreas']
export type LazyArea = keyof Loaders
type AreaOf<File, Area> = Area extends keyof File ? File[Area] : never
type Lazy = { [Area in LazyArea]: AreaOf<Awaited<ReturnType<Loaders[Area]>>, Area> }
export type Texts = Omit<Core, 'lazyAreas'> & Lazy
export type Area = keyof Texts

/** The same texts with `change` applied to each, however deep. Functions are left alone: what they are given could be a visitor's words. */
export function mapTexts<T>(texts: T, change: (text: string) => string): T {
  const map = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map(map)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, map(inner)]))
  }
  return map(texts) as T
}
