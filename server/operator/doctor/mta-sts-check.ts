/** MTA-STS (RFC 8461) as a sender meets it: the record, the policy over HTTPS, and whether it allows the hosts of the MX records. */
import { routes } from '#contract/routes.ts'
import { createMtaSts, mtaStsHost } from '#server/mail/mta-sts.ts'
import { type DoctorContext, errorReason, type Finding, failure, ok, warning } from './context.ts'
import { visit } from './site-checks.ts'

const CHECK = 'MTA-STS'
/** RFC 8461 section 3.2. */
const AGE_SECONDS_MAX = 31_557_600
const HTTPS_PORT = 443
const MODES = new Set(['enforce', 'testing', 'none'])

/** Nothing for a domain without a record: senders look for no policy then. `exchanges`: the hosts of its MX records. */
export async function checkMtaSts(context: DoctorContext, domain: string, exchanges: readonly string[]): Promise<Finding[]> {
  const records = (await context.names.texts(`_mta-sts.${domain}`).catch(() => [])).filter(text => text.startsWith('v=STSv1'))
  const [record] = records
  if (record === undefined) return []
  if (records.length > 1) {
    const sentence = `_mta-sts.${domain} has ${records.length} records of MTA-STS: senders ignore them all.`
    return [warning(CHECK, sentence, `Leave one of them: "${createMtaSts(context.config.mailHosts).record}".`)]
  }
  try {
    const text = await fetchPolicy(context, domain)
    return [judge(context, { domain, record, text, exchanges })]
  } catch (error) {
    const sentence = `Senders cannot fetch the policy that _mta-sts.${domain} promises: ${errorReason(error)}.`
    const remedy = `Let https://${mtaStsHost(domain)} lead to this server, with a certificate for that name: "mayfly dns" prints the records.`
    return [warning(CHECK, sentence, remedy)]
  }
}

/** Senders follow no redirect, and take nothing but text (sections 3.2 and 3.3). */
async function fetchPolicy(context: DoctorContext, domain: string): Promise<string> {
  const url = new URL(routes.mtaSts, `https://${mtaStsHost(domain)}:${context.policyPort ?? HTTPS_PORT}`)
  const { status, body, type = 'no type' } = await visit(context, url)
  if (status >= 300 && status < 400) throw new Error(`${url.host} redirects (${status}), which senders do not follow`)
  if (status !== 200) throw new Error(`${url.host} answers ${status}`)
  if (!/^text\/plain\b/i.test(type)) throw new Error(`${url.host} answers with ${type} instead of text/plain`)
  return body
}

type Seen = { readonly domain: string; readonly record: string; readonly text: string; readonly exchanges: readonly string[] }

function judge({ config }: DoctorContext, { domain, record, text, exchanges }: Seen): Finding {
  const policy = parsePolicy(text)
  if (typeof policy === 'string') {
    const remedy = `Serve the policy of this server at https://${mtaStsHost(domain)}${routes.mtaSts}.`
    return warning(CHECK, `Senders ignore the policy of ${domain}: ${policy}.`, remedy)
  }
  const refused = exchanges.find(host => !policy.hosts.some(pattern => matches(pattern, host)))
  if (refused !== undefined && policy.mode !== 'none') {
    const sentence = `The policy of ${domain} does not name ${refused}, to which its MX record leads.`
    const remedy = 'Name the host in MAIL_HOST or correct the MX record, and change the id of the _mta-sts record.'
    if (policy.mode === 'testing') return warning(CHECK, `${sentence} Senders only report it (mode testing).`, remedy)
    return failure(CHECK, `${sentence} Senders that know MTA-STS deliver nothing.`, remedy)
  }
  if (config.smtpStarttls === 'never' && policy.mode === 'enforce') {
    const sentence = `The policy of ${domain} demands TLS, and SMTP_STARTTLS is never: senders that know MTA-STS deliver nothing.`
    return failure(CHECK, sentence, 'Set SMTP_STARTTLS=auto.')
  }
  const own = createMtaSts(config.mailHosts)
  const isOurs = normalise(text) === normalise(own.policy)
  if (isOurs && record.replace(/\s*;\s*$/, '') !== own.record) {
    const sentence = `The record of _mta-sts.${domain} names another policy than that of this server.`
    return warning(CHECK, sentence, `Set it to "${own.record}": senders that know the old one keep it otherwise.`)
  }
  return ok(
    CHECK,
    `Senders can fetch the policy of ${domain} (mode ${policy.mode})${isOurs ? '' : ', which is not the one of this server'}.`,
  )
}

const normalise = (text: string) => text.trim().split(/\r?\n/).join('\n')

/** Senders take the first of the same key. Returns what is wrong with it, if it is no policy. */
function parsePolicy(text: string): { readonly mode: string; readonly hosts: readonly string[] } | string {
  const pairs = normalise(text)
    .split('\n')
    .flatMap(line => {
      const [, key, value] = /^([a-zA-Z0-9_.-]+)[ \t]*:[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
      return key === undefined || value === undefined ? [] : [{ key, value }]
    })
  const first = (key: string) => pairs.find(pair => pair.key === key)?.value ?? ''
  const [mode, age] = [first('mode'), first('max_age')]
  const hosts = pairs.filter(({ key }) => key === 'mx').map(({ value }) => value.toLowerCase())
  if (first('version') !== 'STSv1') return 'it has no line "version: STSv1"'
  if (!MODES.has(mode)) return `its mode is ${mode === '' ? 'missing' : `"${mode}"`}`
  if (!/^\d{1,10}$/.test(age) || Number(age) > AGE_SECONDS_MAX) return `its max_age is ${age === '' ? 'missing' : `"${age}"`}`
  if (hosts.length === 0 && mode !== 'none') return 'it names no mx'
  return { mode, hosts }
}

/** `*.example.org` stands for one label (section 4.1). */
function matches(pattern: string, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return pattern.startsWith('*.') ? name.slice(name.indexOf('.')) === pattern.slice(1) : name === pattern
}
