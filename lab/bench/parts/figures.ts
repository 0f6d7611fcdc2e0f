/** What a part of `npm run lab -- bench` measures, and how several runs become one table. */

export type Figure = { readonly name: string; readonly value: number; readonly unit: string }
/** `isQuick`: a small fraction of the work, to test that the part runs. */
export type Scale = { readonly isQuick: boolean }
export type Part = {
  readonly name: string
  /** Why it cannot run here; `undefined` if it can. */
  readonly missing?: () => string | undefined
  run(scale: Scale): Promise<readonly Figure[]>
}

export type Row = {
  readonly part: string
  readonly name: string
  readonly unit: string
  readonly median: number
  readonly least: number
  readonly most: number
  readonly runs: number
}

/** One row per name, in the order of the first run. */
export function toRows(part: string, runs: readonly (readonly Figure[])[]): Row[] {
  const all = Map.groupBy(runs.flat(), ({ name }) => name)
  return [...all].map(([name, figures]) => {
    const sorted = figures.map(({ value }) => value).sort((a, b) => a - b)
    const [least, most] = [sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN]
    return { part, name, unit: figures[0]?.unit ?? '', median: quantile(sorted, 0.5), least, most, runs: sorted.length }
  })
}

/** `sorted` ascending. Between two values, the higher one. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The waits of a run: p50 and p99 under one name. */
export function waitFigures(name: string, waitsMs: readonly number[]): Figure[] {
  const sorted = waitsMs.toSorted((a, b) => a - b)
  return [0.5, 0.99].map(share => ({ name: `${name}, p${share * 100}`, value: quantile(sorted, share), unit: 'ms' }))
}

/** A Markdown table for lab/docs/measurements.md. */
export function toTable(rows: readonly Row[]): string {
  const cells = rows.map(({ part, name, unit, median, least, most }) => {
    const spread = least === most ? '' : `${shorten(least)}–${shorten(most)}`
    return `| ${part} | ${name} | ${shorten(median)} ${unit} | ${spread} |`
  })
  return ['| part | figure | median | spread |', '| --- | --- | --- | --- |', ...cells].join('\n')
}

function shorten(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString()
}
