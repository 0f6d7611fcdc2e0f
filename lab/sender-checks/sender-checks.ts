/**
 * Compares how Mayfly and other programs check senders: `npm run lab -- sender-checks [--cases]`. Gives the cases of
 * `server/mail/authentication/suites/` to each, with answers of DNS from memory, and prints the table of lab/docs/sender-checks.md. With
 * `--cases` it also names those that each program gets wrong. Installs pyspf, dkimpy and authres from PyPI; Mail::DKIM is Debian's. What
 * is not installed is left out with a sentence.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ARCData, arc as checkArc, spf as checkSpf, dkimVerify } from 'mailauth'
import { readAuthentication } from '../../server/mail/authentication/authentication-results.ts'
import type { DnsRecord } from '../../server/platform/net/dns-resolver.ts'
import { arcSuite, type SentMail, signatureSuite, spfSuite } from '../../test/harness/mail/sender-suites.ts'
import { TestKeys } from '../../test/harness/mail/sign-template.ts'
import { withAuthors } from '../../test/harness/mayfly/with-authors.ts'
import type { Zone } from '../../test/harness/servers/dns-server.ts'
import { installPypi } from '../registries.ts'

const PYPI = ['pyspf==2.0.14', 'dkimpy==1.1.8', 'dnspython==2.9.2', 'PyNaCl==1.6.2', 'authres==1.2.0']
/** DNS follows no more aliases (RFC 1034 section 3.6.2 asks for a limit). */
const ALIASES_MAX = 8

type Kind = 'spf' | 'arc' | 'pass' | 'refused'
type Case = {
  readonly kind: Kind
  readonly name: string
  readonly mail: SentMail
  readonly dns: { readonly zone: Zone; readonly silent: readonly string[] }
  readonly isRight: (result: string) => boolean
}
/** The result of each case: a word of RFC 8601, or empty where the program does not check this. */
type Answers = readonly string[]
type Program = { readonly title: string; readonly needs?: string; ask(cases: readonly Case[], folder: string): Answers | Promise<Answers> }

const source = (name: string) => join(import.meta.dirname, name)
const versionOf = (name: string) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version as string

const PROGRAMS: readonly Program[] = [
  { title: 'Mayfly', ask: cases => oneByOne(cases, ofMayfly) },
  { title: `mailauth ${versionOf('mailauth')}`, ask: cases => oneByOne(cases, each => ofMailauth(each, false)) },
  { title: `mailauth ${versionOf('mailauth')}, \`strict\``, ask: cases => oneByOne(cases, each => ofMailauth(each, true)) },
  ...(['pyspf', 'dkimpy'] as const).map(name => ({
    title: PYPI.find(each => each.startsWith(name))?.replace('==', ' ') ?? name,
    needs: 'python3 with venv, and PyPI',
    ask(cases: readonly Case[], folder: string) {
      installPypi(folder, PYPI)
      return askProgram(cases, join(folder, 'bin/python'), source('pypi.py'), name)
    },
  })),
  {
    title: 'Mail::DKIM (Perl)',
    needs: 'apt-get install libmail-dkim-perl',
    ask: cases => askProgram(cases, 'perl', source('debian.pl')),
  },
]

const keys = new TestKeys()
const signatures = signatureSuite(keys)
const published = (kind: Kind, suite: ReturnType<typeof spfSuite>): Case[] =>
  suite.flatMap(({ cases, zone, silent }) =>
    cases.map(({ name, mail, results }) => ({ kind, name, mail, dns: { zone, silent }, isRight: result => results.includes(result) })),
  )
const signed = (kind: 'pass' | 'refused'): Case[] =>
  signatures[kind].map(({ name, mail }) => ({
    kind,
    name,
    mail,
    dns: { zone: signatures.zone, silent: [] },
    isRight: result => (result === 'pass') === (kind === 'pass'),
  }))
const cases = [...published('spf', spfSuite()), ...published('arc', arcSuite(keys)), ...signed('pass'), ...signed('refused')]

const count = (kind: Kind) => cases.filter(each => each.kind === kind).length
const line = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
line([
  '',
  `SPF, of ${count('spf')}`,
  `ARC, of ${count('arc')}`,
  `honest, of ${count('pass')}, pass`,
  `others, of ${count('refused')}, refused`,
])
line(Array.from({ length: 5 }, () => '---'))
for (const program of PROGRAMS) await measure(program)

async function measure({ title, needs = '', ask }: Program): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-sender-checks-'))
  try {
    const answers = await ask(cases, folder)
    const of = (kind: Kind) =>
      cases.map((each, at) => ({ ...each, answer: answers[at] ?? '' })).filter(each => each.kind === kind && each.answer !== '')
    const kinds = (['spf', 'arc', 'pass', 'refused'] as const).map(of)
    line([title, ...kinds.map(asked => (asked.length === 0 ? '–' : asked.filter(({ isRight, answer }) => isRight(answer)).length))])
    if (!process.argv.includes('--cases')) return
    for (const { kind, name, answer } of kinds.flat().filter(({ isRight, answer }) => !isRight(answer)))
      console.error(`${title}: ${kind} ${name}: ${answer}`)
  } catch (error) {
    console.error(`${title} is left out. It needs: ${needs} (${String(error).split('\n')[0]})`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function oneByOne(all: readonly Case[], ask: (one: Case) => Promise<string>): Promise<Answers> {
  const answers: string[] = []
  for (const each of all) answers.push(await ask(each))
  return answers
}

async function ofMayfly({ kind, mail: { ip, helo, from, raw }, dns }: Case): Promise<string> {
  const resolve = (domain: string, type: string) => lookUp(dns, domain, type)
  const { spf, arc, dkim, dmarc } = await readAuthentication({ clientAddress: ip, helo, from }, withAuthors(raw), resolve)
  if (kind === 'spf' || kind === 'arc') return kind === 'spf' ? spf : arc
  return dkim === 'pass' && dmarc === 'pass' ? 'pass' : 'fail'
}

async function ofMailauth({ kind, mail: { ip, helo, from: sender, raw }, dns }: Case, strict: boolean): Promise<string> {
  const resolver = (domain: string, type: string) => lookUp(dns, domain, type) as Promise<string[]>
  if (kind === 'spf') {
    const found = await checkSpf({ ip, helo, sender, mta: 'mx.test', resolver, strict })
    return found ? found.status.result : 'none'
  }
  const { results, arc } = await dkimVerify(raw, { resolver, strict })
  if (kind === 'arc') return (await checkArc(arc as ARCData, { resolver, strict })).status.result
  return results.some(({ status }) => status.result === 'pass') ? 'pass' : 'fail'
}

function askProgram(all: readonly Case[], command: string, ...args: string[]): Answers {
  const input = all.map(({ kind, mail: { raw, ...envelope }, dns }) =>
    JSON.stringify({ kind, ...envelope, raw: raw.toString('base64'), ...dns }),
  )
  const out = execFileSync(command, args, { input: input.join('\n'), encoding: 'utf8', maxBuffer: 1e8, stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = out.split('\n').slice(0, -1)
  if (answers.length !== all.length) throw new Error(`${command} answered ${answers.length} of ${all.length} cases`)
  return answers
}

/** As a resolver answers: aliases are followed, and a server that is silent is a time-out. */
async function lookUp({ zone, silent }: Case['dns'], name: string, type: string): Promise<DnsRecord[]> {
  let owner = name.toLowerCase()
  for (let aliases = 0; aliases < ALIASES_MAX; aliases++) {
    if (silent.includes(`${owner} ${type}`)) throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' })
    const found = zone[`${owner} ${type}`]
    if (found) return found.map(record => recordOf(record, type))
    const [alias] = zone[`${owner} CNAME`] ?? []
    if (alias === undefined) break
    owner = alias.toLowerCase()
  }
  const isThere = Object.keys(zone).some(key => key.startsWith(`${owner} `))
  throw Object.assign(new Error('no such record'), { code: isThere ? 'ENODATA' : 'ENOTFOUND' })
}

function recordOf(record: string, type: string): DnsRecord {
  if (type === 'TXT') return [record]
  if (type !== 'MX') return record
  const [, priority = '0', exchange = ''] = /^(?:(\d+) )?(.*)$/.exec(record) ?? []
  return { priority: Number(priority), exchange }
}
