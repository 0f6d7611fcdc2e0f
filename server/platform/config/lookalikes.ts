/** Finds variables that were probably meant for this server but would be ignored: misspelt, or with a prefix that does not exist. */
import { ownBeginnings, variableNames } from './settings.ts'

/** Prefixes that people add to a variable of this server. */
const PREFIX = 'MAYFLY_'
/** Variables of other programs that look similar. */
const OTHERS = new Set(['API_TOKEN', 'HTTP_PORTS', 'LOGLEVEL', 'SSL_CERT', 'SSL_KEY'])
/** Shorter names are one letter away from too many others: HOST from HOME, TLS_KEY from SSL_KEY. */
const CHARS_MIN = 8
/** Names of at least this length may have two wrong letters. */
const LONG_CHARS_MIN = 12
/** Container engines describe linked containers in variables like `MAYFLY_SMTP_PORT=tcp://10.0.0.5:25`. */
const NEIGHBOUR = /^(?:tcp|udp):\/\//

const variables: readonly string[] = variableNames

type Lookalike = { readonly name: string; readonly meant: string }

/** The names in `env` that resemble a variable without being one. */
export function findLookalikes(env: Readonly<Record<string, string | undefined>>): Lookalike[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || variables.includes(name) || OTHERS.has(name) || NEIGHBOUR.test(value) || !/^[A-Z][A-Z0-9_]*$/.test(name)) return []
    const meant = closestVariable(name)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

function closestVariable(name: string): string | undefined {
  const bare = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name
  if (bare !== name && variables.includes(bare)) return bare
  const nearest = variables
    .map(variable => ({ variable, distance: editDistance(bare, variable) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best))
  if (nearest.distance <= editsAllowed(bare, nearest.variable)) return nearest.variable
  const beginning = ownBeginnings.find(own => bare.startsWith(own))
  if (beginning === undefined) return undefined
  const sameBeginning = variables.filter(variable => variable.startsWith(beginning))
  return sameBeginning.toSorted((one, other) => editDistance(bare, one) - editDistance(bare, other))[0] ?? nearest.variable
}

function editsAllowed(name: string, variable: string): number {
  const chars = Math.min(name.length, variable.length)
  return chars < CHARS_MIN ? 0 : chars < LONG_CHARS_MIN ? 1 : 2
}

/** Letters removed, added, replaced or swapped with a neighbour (optimal string alignment distance). Underscores are ignored. */
function editDistance(one: string, other: string): number {
  const [a, b] = [one.replaceAll('_', ''), other.replaceAll('_', '')]
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const [row, above, twoAbove] = [[i], rows[i - 1] ?? [], rows[i - 2] ?? []]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isExchange = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const exchanged = isExchange ? (twoAbove[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, exchanged))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}
