/** What the rehearsal does: the code blocks of docs/operations.md, with what this machine cannot do replaced line by line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A line of the page, and what is run instead of it. Each must stand in the page: test/deployment/rehearsal.test.ts. */
export const REPLACED: ReadonlyMap<RegExp, string> = new Map([
  // The release of this very folder, as `npm run pack` makes it.
  [/^git clone \S+ \/opt\/mayfly( .*)?$/, 'mkdir -p /opt/mayfly && tar xzf /root/release.tgz -C /opt/mayfly --strip-components=1'],
  // There is no systemd in a folder: what the unit says is run as the unit says.
  [/^systemctl start mayfly$/, 'sh /root/start-unit.sh'],
  [/^systemctl stop mayfly$/, 'sh /root/stop-unit.sh'],
  [/^systemctl restart mayfly$/, 'sh /root/stop-unit.sh && sh /root/start-unit.sh'],
  [/^git pull$/, 'tar xzf /root/upgrade.tgz -C /opt/mayfly --strip-components=1'],
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
  readonly start: readonly string[]
  /** The first line makes the backup, the others restore it. */
  readonly backup: readonly string[]
  readonly upgrade: readonly string[]
  /** Lines of mayfly.env for HTTPS by the server itself. */
  readonly settings: readonly string[]
  /** Arguments of dnsmasq. */
  readonly records: readonly string[]
}

export function readPlan(root: string): Plan {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  return {
    install: run(block(page, /^apt-get install -y git nodejs npm$/)),
    start: run(block(page, /^mayfly check-config /)),
    backup: run(block(page, /^mayfly backup /).map(line => line.replace(/ +#.*/, ''))),
    upgrade: run(block(page, /^cd \/opt\/mayfly$/)),
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
