/**
 * Writes which features of HTML and CSS common mail programs lack, for both clients: `node scripts/run.mjs scripts/client/mail-features.ts
 * caniemail.json client/mail-features.json clients/python/src/mayfly_mail/mail_features.json` with the data set of the npm package
 * caniemail.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const PROGRAMS = {
  'Outlook (Windows)': ['outlook', 'windows'],
  'Outlook.com': ['outlook', 'outlook-com'],
  'Outlook (macOS)': ['outlook', 'macos'],
  'Outlook (iOS)': ['outlook', 'ios'],
  'Outlook (Android)': ['outlook', 'android'],
  Gmail: ['gmail', 'desktop-webmail'],
  'Gmail (iOS)': ['gmail', 'ios'],
  'Gmail (Android)': ['gmail', 'android'],
  'Apple Mail (macOS)': ['apple-mail', 'macos'],
  'Apple Mail (iOS)': ['apple-mail', 'ios'],
  'Yahoo Mail': ['yahoo', 'desktop-webmail'],
  Thunderbird: ['thunderbird', 'macos'],
  'Samsung Email': ['samsung-email', 'android'],
} as const

/** Results by version, oldest first: `y`, `n`, `a` (partly), `u`, with notes behind. */
type Feature = { slug: string; title: string; category: string; stats: Record<string, Record<string, Record<string, string>>> }

const [from = '', ...targets] = process.argv.slice(2)
const { data, last_update_date: readAt } = JSON.parse(readFileSync(from, 'utf8')) as { data: Feature[]; last_update_date: string }
const features = data.flatMap(feature => {
  const name = nameOf(feature)
  const bits = Object.values(PROGRAMS).map(([family, platform]) => lastResult(feature, family, platform).startsWith('n'))
  return name === undefined || !bits.includes(true)
    ? []
    : [[name, bits.reduce((mask, bit, index) => mask + (bit ? 2 ** index : 0), 0).toString(36)]]
})
/** By the programs that lack them, as a bit each in base 36. */
const lacking: Record<string, string> = {}
for (const [name = '', mask = ''] of features) lacking[mask] = lacking[mask] === undefined ? name : `${lacking[mask]},${name}`
const source = `caniemail.com, MIT License, Copyright (c) 2019 HTeuMeuLeu, ${readAt.slice(0, 10)}`
const written = `${JSON.stringify({ source, programs: Object.keys(PROGRAMS), lacking }, undefined, 2)}\n`
for (const target of targets) writeFileSync(target, written)

function lastResult({ stats }: Feature, family: string, platform: string): string {
  return Object.values(stats[family]?.[platform] ?? {}).at(-1) ?? 'u'
}

/** The text for which the client searches: `gap:`, `display:grid`, `clamp()`, `@media`, `:hover`, `1vw`, `<video>`, `[role]`, `.webp`. */
function nameOf({ slug, title, category }: Feature): string | undefined {
  if (category === 'image') return `.${slug.replace('image-', '')}`
  if (category === 'html') {
    const attribute = /^([a-z-]+) attribute$/.exec(title)?.[1]
    return /^<[a-z]+>(?= element$)/.exec(title)?.[0] ?? (attribute && `[${attribute}]`)
  }
  const property = /^([a-z-]+)(?: property| shorthand| )?$/.exec(title)?.[1]
  const unit = /^([a-z]+) unit$/.exec(title)?.[1]
  const plain = /^(?:@media \([a-z-]+\)|@[a-z-]+|::?[a-z-]+|[a-z-]+\(\)|[a-z-]+:[a-z]+)$/.exec(
    title.replace(/^CSS (calc\(\)) function$/, '$1'),
  )?.[0]
  return plain ?? (property ? `${property}:` : unit && unit !== 'initial' ? `1${unit}` : undefined)
}
