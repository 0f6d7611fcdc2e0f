/** Apart from the list of routes, so that the first file that a browser loads has only those it calls. */

export type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The lookbehind lets the search begin at the first slash of a run only: from each of them it would take quadratic time. */
export const withoutLastSlashes = (path: string) => path.replace(/(?<!\/)\/+$/, '')

/** Fills the parameters of a route: `pathTo(routes.message, { id })`. */
export function pathTo<Path extends string>(path: Path, params: Record<PathParameters<Path>, string | number>): string {
  return path.replace(/:([a-zA-Z]+)/g, (_, name: PathParameters<Path>) => encodeURIComponent(String(params[name])))
}
