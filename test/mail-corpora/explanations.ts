/**
 * Compares test/mail-corpora/explanations.md with the measurement. Its first table has the agreement of each corpus. Under
 * `## <corpus>` a table explains every disagreement: the first cell lists where they are, each in backticks (`*` matches anything), and
 * the second how many they are.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Agreement } from './agreement.ts'

const page = readFileSync(resolve(import.meta.dirname, 'explanations.md'), 'utf8')

/** `1,277 of 1,464`, as the page states it for a corpus. */
export function statedAgreement(corpus: string): string | undefined {
  const row = page.split('\n').find(line => line.startsWith(`| ${corpus} |`))
  return row === undefined ? undefined : /([\d,]+ of [\d,]+)[^|]*\|$/.exec(row)?.[1]
}

type Explanation = { readonly pattern: string; readonly matches: (where: string) => boolean }

/** What is wrong with the page: misses that no row or two rows explain, rows that explain nothing, wrong counts. */
export function unexplained(corpus: string, { misses }: Agreement): string[] {
  const rows = readExplanations(corpus)
  const faults: string[] = []
  for (const { where } of misses) {
    const found = rows.filter(row => row.explanations.some(explanation => explanation.matches(where)))
    if (found.length !== 1) faults.push(`${where}: explained by ${found.length} rows`)
  }
  for (const { explanations, count } of rows) {
    for (const { pattern, matches } of explanations) {
      if (!misses.some(({ where }) => matches(where))) faults.push(`\`${pattern}\` explains nothing`)
    }
    const explained = misses.filter(({ where }) => explanations.some(explanation => explanation.matches(where))).length
    if (explained !== count) faults.push(`\`${explanations[0]?.pattern}\` …: ${explained} values, not ${count}`)
  }
  return faults
}

function readExplanations(corpus: string): { explanations: Explanation[]; count: number }[] {
  const section = page.split(/^## /m).find(text => text.startsWith(`${corpus}\n`)) ?? ''
  return section.split('\n').flatMap(line => {
    const [, where, count] = /^\| ([^|]*`[^|]*) \| (\d+) \|/.exec(line) ?? []
    if (where === undefined || count === undefined) return []
    const patterns = [...where.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? '')
    return [{ explanations: patterns.map(pattern => ({ pattern, matches: matcher(pattern) })), count: Number(count) }]
  })
}

function matcher(pattern: string): (where: string) => boolean {
  const source = pattern
    .split('*')
    .map(text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  const expression = new RegExp(`^${source}$`, 's')
  return where => expression.test(where)
}
