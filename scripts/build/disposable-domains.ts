/**
 * Writes the public list of disposable domains that the doctor looks up: `npm pack disposable-email-domains-js`, unpack it, then
 * `node scripts/run.mjs scripts/build/disposable-domains.ts package 2026-09-21` with the day of its release.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '', releasedOn = ''] = process.argv.slice(2)
if (!/^\d{4}-\d\d-\d\d$/.test(releasedOn)) throw new Error('name the folder of the package and the day of its release')
const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))
const { name, version, license }: Record<string, string> = read('package.json')
const names: string[] = read('dist', 'dict', 'disposable_email_blocklist.json')
/** By their last label, which would otherwise stand there thousands of times. */
const domains: Record<string, string> = {}
for (const domain of names.toSorted()) {
  const at = domain.lastIndexOf('.')
  const [label, ending] = [domain.slice(0, at), domain.slice(at + 1)]
  domains[ending] = domains[ending] === undefined ? label : `${domains[ending]} ${label}`
}
const source = `${name} ${version}`
const written = JSON.stringify({ source, license, releasedOn, domains }, undefined, 2)
writeFileSync(new URL('../../server/operator/doctor/disposable-domains.json', import.meta.url), `${written}\n`)
