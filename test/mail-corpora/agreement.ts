import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { corporaFolder } from './corpora-folder.ts'

type Miss = { readonly where: string; readonly actual: string; readonly expected: string }

/** Counts expected values that are met and missed. A missed one says where and what. */
export class Agreement {
  total = 0
  readonly misses: Miss[] = []

  expect(where: string, actual: unknown, expected: unknown): void {
    this.total++
    const [a, e] = [JSON.stringify(actual) ?? 'undefined', JSON.stringify(expected) ?? 'undefined']
    if (a !== e) this.misses.push({ where, actual: a, expected: e })
  }

  add(other: Agreement): void {
    this.total += other.total
    this.misses.push(...other.misses)
  }

  get agreed(): number {
    return this.total - this.misses.length
  }

  toString(): string {
    return `${count(this.agreed)} of ${count(this.total)}`
  }

  /** Each miss on three lines, for people. */
  details(): string {
    return this.misses
      .map(({ where, actual, expected }) => `${where}\n  is       ${around(actual, expected)}\n  expected ${around(expected, actual)}`)
      .join('\n')
  }
}

/** Paths below a corpus folder, sorted; `keep` gets the path relative to it. */
export function corpusFiles(corpus: string, keep: (path: string) => boolean): string[] {
  return readdirSync(join(corporaFolder, corpus), { recursive: true, encoding: 'utf8' }).filter(keep).sort()
}

export function readCorpus(corpus: string, path: string): Buffer {
  return readFileSync(join(corporaFolder, corpus, path))
}

function count(value: number): string {
  return value.toLocaleString('en')
}

/** Where two texts start to differ. */
function around(text: string, other: string): string {
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  const from = Math.max(0, at - 60)
  return `${from > 0 ? '… ' : ''}${text.slice(from, at + 140)}${at + 140 < text.length ? ' …' : ''}`
}
