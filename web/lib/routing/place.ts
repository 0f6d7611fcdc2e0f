import { withoutLastSlashes } from '#contract/path-to.ts'

export type Place = { pathname: string; search: string; hash: string }

/**
 * The parameters of `/blog/:slug` in a path; `undefined` if the path does not match. Letter case and a trailing slash are ignored; `*`
 * matches everything.
 */
export function matchPath(pattern: string, pathname: string): Record<string, string> | undefined {
  if (pattern === '*') return {}
  const [wanted, given] = [pattern, pathname].map(path => withoutLastSlashes(path).split('/')) as [string[], string[]]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of wanted.entries()) {
    const segment = given[index] ?? ''
    if (name.startsWith(':') && segment) params[name.slice(1)] = decode(segment)
    else if (name.toLowerCase() !== segment.toLowerCase()) return undefined
  }
  return params
}

/** Unchanged if the escape was cut or mistyped. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Where a link to `to` leads from here. Keeps `language` in its parameter unless the link names one. */
export function resolvePlace(to: string | Partial<Place>, here: Place, language?: string): Place {
  const { pathname, search, hash } = typeof to === 'string' ? new URL(to, `http://site${here.pathname}`) : { search: '', hash: '', ...to }
  const params = new URLSearchParams(search)
  if (language !== undefined && !params.has('lang')) params.set('lang', language)
  return { pathname: pathname ?? here.pathname, search: params.size > 0 ? `?${params}` : '', hash }
}

/** Exactly one slash at its start: after two, a browser would expect the name of another site. */
export const toHref = ({ pathname, search, hash }: Place): string => pathname.replace(/^\/{2,}/, '/') + search + hash
