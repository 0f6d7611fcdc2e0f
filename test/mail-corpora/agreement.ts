import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where the corpora lie when they lie anywhere: beside the checkout, never inside it. */
export const corporaFolder = resolve(import.meta.dirname, '../../../shared/corpora')
export const hasCorpora = existsSync(corporaFolder)
export const whyNoCorpora = 'needs ../shared/corpora beside the checkout (test mail of other projects, not part of this one)'

/** Counts expected values met and missed; a missed one says where and what. */
export class Agreement {
  total = 0
  readonly misses: string[] = []

  expect(where: string, actual: unknown, expected: unknown): void {
    this.total++
    const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)]
    if (a !== e) this.misses.push(`${where}\n    is       ${shorten(a)}\n    expected ${shorten(e)}`)
  }

  get agreed(): number {
    return this.total - this.misses.length
  }

  toString(): string {
    return `${this.agreed} of ${this.total} (${((100 * this.agreed) / Math.max(1, this.total)).toFixed(2)} %)`
  }
}

/** Paths below a corpus folder, sorted; `keep` gets the path relative to it. */
export function corpusFiles(corpus: string, keep: (path: string) => boolean): string[] {
  return readdirSync(join(corporaFolder, corpus), { recursive: true, encoding: 'utf8' }).filter(keep).sort()
}

export function readCorpus(corpus: string, path: string): Buffer {
  return readFileSync(join(corporaFolder, corpus, path))
}

function shorten(json: string | undefined): string {
  if (json === undefined) return 'undefined'
  return json.length <= 300 ? json : `${json.slice(0, 200)} … ${json.slice(-90)}`
}
