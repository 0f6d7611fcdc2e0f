/** What the rehearsal does: the code blocks of docs/operations.md, with what this machine cannot do replaced line by line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A line of the page, and what is run instead of it. Each must stand in the page: lab/rehearsal/rehearsal.test.ts. */
export const REPLACED: ReadonlyMap<RegExp, string> = new Map([
  // The release of this very folder, as `npm run pack` makes it.
  [
    /^git clone \S+ \/opt\/mayfly\/releases\/first( .*)?$/,
    'mkdir -p /opt/mayfly/releases/first && tar xzf /root/release.tgz -C /opt/mayfly/releases/first --strip-components=1 --no-same-owner',
  ],
  [/^mayfly upgrade( .*)?$/, 'mayfly upgrade /root/upgrade.tgz'],
])

/** The code block of the page that begins with this line. */
function block(page: string, first: RegExp): string[] {
  const blocks = [...page.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text.trimEnd().split('\n'))
  const found = blocks.find(([line = '']) => first.test(line))
  if (!found) throw new Error(`docs/operations.md has no code block that begins with ${first}`)
  return found
}

const run = (lines: readonly string[]) => lines.map(line => [...REPLACED].find(([from]) => from.test(line))?.[1] ?? line)

type Plan = {
  readonly install: readonly string[]
  /** The last line of the installation. */
  readonly setup: string
  readonly start: readonly string[]
  /** The first lines make a backup, the others restore it. */
  readonly backup: readonly string[]
  readonly upgrade: readonly string[]
  /** Lines of mayfly.env for HTTPS by the server itself. */
  readonly settings: readonly string[]
  /** Arguments of dnsmasq. */
  readonly records: readonly string[]
}

export function readPlan(root: string): Plan {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const install = run(block(page, /^apt-get install -y git nodejs npm$/))
  return {
    install: install.slice(0, -1),
    setup: install.at(-1) ?? '',
    start: run(block(page, /^mayfly check-config /)),
    backup: run(block(page, /^systemctl enable --now mayfly-backup\.timer /).map(line => line.replace(/ +#.*/, ''))),
    upgrade: run(block(page, /^mayfly upgrade /).map(line => line.replace(/ +#.*/, ''))),
    settings: block(page, /^ACME_EMAIL=/),
    records: block(page, /^mayfly\.example\. +A /).flatMap(toDnsmasq),
  }
}

/** IPv6 is left out, as the page says for machines that it does not reach. */
function toDnsmasq(line: string): string[] {
  const [, name = '', type = '', value = ''] = /^(\S+)\.\s+(A|AAAA|MX|TXT)\s+(.*)$/.exec(line) ?? []
  if (type === 'A') return [`--host-record=${name},${value}`]
  if (type === 'MX') return [`--mx-host=${name},${value.replace(/^\d+ +/, '').replace(/\.$/, '')},${Number.parseInt(value, 10)}`]
  if (type === 'TXT') return [`--txt-record=${name},${value.replace(/^"|"$/g, '').replaceAll(',', '\\,')}`]
  if (type === 'AAAA') return []
  throw new Error(`the rehearsal does not know this record: ${line}`)
}
