/** Checks the site as visitors reach it, the relay, and settings that a public instance needs. */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { TLSSocket } from 'node:tls'
import { isDeepStrictEqual } from 'node:util'
import { createTransport } from 'nodemailer'
import { DAY_MS } from '#contract/limits.ts'
import { openTunnel } from '#server/outbound/guarded-request.ts'
import { toIso } from '#server/platform/clock.ts'
import { isWithoutProxy } from '#server/platform/net/outgoing-proxy.ts'
import { type DoctorContext, errorReason, type Finding, failure, isLocalName, ok, warning } from './context.ts'

const REQUEST_MS_MAX = 8000
const HTTPS_PORT = 443
const RELAY_MS_MAX = 5000
const BODY_BYTES_MAX = 256 * 1024
const CERTIFICATE_DAYS_MIN = 3

export async function checkPublicUrl(context: DoctorContext): Promise<Finding[]> {
  const { config, identify } = context
  const url = new URL(config.publicUrl)
  if (isLocalName(url.hostname)) {
    return [warning('PUBLIC_URL', `${config.publicUrl} is an address for trying out.`, 'Set PUBLIC_URL before others visit the site.')]
  }
  const findings: Finding[] = await formerHosts(context)
  if (url.protocol !== 'https:') {
    findings.push(
      failure(
        'PUBLIC_URL',
        `${config.publicUrl} is not encrypted.`,
        'Set ACME_EMAIL, or put Caddy or nginx in front (deploy/), and set PUBLIC_URL to https://….',
      ),
    )
  }
  const server = await identify()
  if (!server) return findings
  try {
    const { status, body, validTo } = await visit(context, new URL('/api/config', url))
    const seen = status === 200 ? JSON.parse(body) : undefined
    // With what it was started: its settings may be newer than the process.
    const isOurs = seen?.build?.version === server.version && isDeepStrictEqual(seen?.domains, server.domains?.offered)
    findings.push(
      isOurs
        ? ok('PUBLIC_URL', `${config.publicUrl} leads to this server.`)
        : failure(
            'PUBLIC_URL',
            `${config.publicUrl} answers ${status}, but it is not this server.`,
            'Let the proxy pass requests to HTTP_PORT, and correct the address records of the name.',
          ),
      ...(isOurs ? await proxyTrust(context) : []),
      ...(validTo === undefined ? [] : [siteCertificate(context, url.hostname, validTo)]),
    )
  } catch (error) {
    const remedy = `Check the address records of ${url.hostname}, the certificate, the firewall (ports 80 and 443) and the proxy.`
    findings.push(failure('PUBLIC_URL', `${config.publicUrl} cannot be reached: ${errorReason(error)}.`, remedy))
  }
  return findings
}

/** Names that the site had before: without an address nobody is redirected. */
async function formerHosts({ config, names }: DoctorContext): Promise<Finding[]> {
  const found = await Promise.all(
    config.formerHosts.map(async host => ((await names.addresses(host).catch(() => [])).length === 0 ? [host] : [])),
  )
  const remedy = 'Let its address records point to this machine, or take it out of PUBLIC_URL.'
  return found
    .flat()
    .map(host => warning('PUBLIC_URL', `${host}, a name that the site had before, has no address: nobody is redirected.`, remedy))
}

function siteCertificate({ clock, config }: DoctorContext, host: string, validTo: number): Finding {
  const days = Math.floor((validTo - clock()) / DAY_MS)
  if (days >= CERTIFICATE_DAYS_MIN) return ok('HTTPS', `The certificate of ${host} is trusted and valid for ${days} more days.`)
  const remedy = config.acme
    ? 'The server renews it by itself: see what it says of the last attempt.'
    : 'Look why the proxy did not renew it.'
  // Authorities also issue certificates for six days, which are renewed after four.
  return warning('HTTPS', `The certificate of ${host} expires in ${days} days.`, remedy)
}

/** What the server says of its own attempts to obtain certificates. */
export async function checkAcme({ config, identify }: DoctorContext): Promise<Finding[]> {
  const statuses = config.acme && (await identify())?.certificates
  return (statuses ?? []).map(({ name, validTo, problem, retryAt }) => {
    if (problem === undefined && validTo === undefined)
      return warning('ACME', `The certificate for ${name} is being obtained.`, 'Run the doctor again in a minute.')
    if (problem === undefined) return ok('ACME', `The certificate for ${name} was obtained by ACME and will be renewed by itself.`)
    const next = `The next attempt is at ${toIso(retryAt ?? 0)}; after a correction "systemctl reload mayfly" tries at once.`
    return (validTo ?? 0) > Date.now() ? warning('ACME', problem, next) : failure('ACME', problem, next)
  })
}

/** The request just made came through the proxy, so the server now knows whether it trusts it. */
async function proxyTrust({ identify }: DoctorContext): Promise<Finding[]> {
  const proxy = (await identify())?.untrustedProxy
  if (proxy === undefined) return [ok('proxy', 'No proxy forwards visitors without being trusted.')]
  const sentence = `A proxy at ${proxy} forwards visitors and is not trusted: all of them count as one and share one limit.`
  return [failure('proxy', sentence, `If it is yours, set TRUST_PROXY=${proxy}.`)]
}

type Page = { readonly status: number; readonly body: string; readonly type: string | undefined; readonly validTo?: number }

/** Requests a page at the address that DNS gives, or by the proxy to the internet, without following redirects. */
export async function visit(
  { config: { proxy }, names, ca }: Pick<DoctorContext, 'config' | 'names' | 'ca'>,
  url: URL,
  headers: Readonly<Record<string, string>> = {},
): Promise<Page> {
  const lookup: LookupFunction = (hostname, _options, callback) => {
    names.addresses(hostname).then(
      ([address]) => {
        if (address === undefined) return callback(new Error(`${hostname} has no address`), '', 4)
        const family = address.includes(':') ? 6 : 4
        callback(null, [{ address, family }])
      },
      error => callback(error, '', 4),
    )
  }
  const isHttps = url.protocol === 'https:'
  const send = isHttps ? requestHttps : requestHttp
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const destination = { host: name, port: Number(url.port) || HTTPS_PORT, name, ca }
  const noAnswer = () => new Error(`no answer within ${REQUEST_MS_MAX / 1000} s`)
  const signal = AbortSignal.timeout(REQUEST_MS_MAX)
  const tunnel =
    proxy && isHttps && !isWithoutProxy(proxy, url)
      ? await openTunnel(proxy, destination, signal).catch(error => Promise.reject(signal.aborted ? noAnswer() : error))
      : undefined
  tunnel?.setTimeout(REQUEST_MS_MAX)
  return new Promise((resolve, reject) => {
    // Not the shared agent: in a TLS session that it resumes there is no certificate to look at.
    const way = tunnel ? { createConnection: () => tunnel, defaultPort: HTTPS_PORT } : { lookup, ...(ca && { ca }), agent: false as const }
    const options = { ...way, timeout: REQUEST_MS_MAX, headers }
    const request = send(url, options, response => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        body += chunk
        if (body.length > BODY_BYTES_MAX) request.destroy(new Error('the answer is too long'))
      })
      const { socket } = response
      const seen = socket instanceof TLSSocket ? { validTo: Date.parse(socket.getPeerCertificate().valid_to) } : {}
      // One that is cut off has no end.
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, type: response.headers['content-type'], ...seen }))
    })
    request.on('timeout', () => request.destroy(noAnswer()))
    request.on('error', reject)
    request.end()
  })
}

export async function checkRelay({ config: { smtpRelayUrl } }: DoctorContext): Promise<Finding[]> {
  if (smtpRelayUrl === undefined) {
    const sentence = 'SMTP_RELAY_URL is not set: confirmation links are only written to the log.'
    return [failure('relay', sentence, 'Set it to let people sign up by themselves.')]
  }
  const limits = { connectionTimeout: RELAY_MS_MAX, greetingTimeout: RELAY_MS_MAX, socketTimeout: RELAY_MS_MAX }
  const transport = createTransport({ url: smtpRelayUrl, ...limits })
  try {
    await transport.verify()
    return [ok('relay', 'The relay for outgoing mail answers and takes our credentials.')]
  } catch (error) {
    const remedy = 'Check host, port, user and password in SMTP_RELAY_URL. Mail waits and is tried again meanwhile.'
    return [failure('relay', `The relay for outgoing mail does not take us: ${errorReason(error)}.`, remedy)]
  } finally {
    transport.close()
  }
}

/** Settings that a public instance needs. An instance that is only tried out is not asked for them. */
export async function checkReadiness({ config, identify }: DoctorContext): Promise<Finding[]> {
  if (isLocalName(new URL(config.publicUrl).hostname)) return []
  const domains = (await identify())?.domains?.receiving ?? config.domains
  // `setup --behind-proxy` of earlier versions wrote 8080 alone.
  const isBehindLocalProxy = config.trustedProxies.length > 0 && config.trustedProxies.every(isLocalName)
  const wishes: [isSet: boolean, sentence: string, remedy: string][] = [
    [
      !isBehindLocalProxy || !['0.0.0.0', '::'].includes(config.httpHost),
      'HTTP_PORT listens at all addresses, although the proxy is on this machine: others can go around it, without encryption.',
      `Set HTTP_PORT=127.0.0.1:${config.httpPort} and run: mayfly setup`,
    ],
    [
      domains.every(domain => !isLocalName(domain)),
      'A domain for trying out is still offered or receives mail.',
      'Add your own domain and remove it: mayfly domain add, mayfly domain remove.',
    ],
    [
      config.operators.length > 0,
      'Nobody can open the operator’s page.',
      'Set OPERATORS to your address, sign up with it and open /operator.',
    ],
    [config.botCheck !== 'off', 'BOT_CHECK is off: programs make addresses without any work.', 'Leave BOT_CHECK out, or set it to pow.'],
    [
      config.contactTo !== undefined || config.operators.length > 0,
      'Contact messages and mail to abuse@ are only stored.',
      'Set CONTACT_TO, or read them at /operator.',
    ],
    [config.networkLimitFactor <= 10, 'NETWORK_LIMIT_FACTOR widens every limit more than tenfold.', 'Leave it out on a public instance.'],
  ]
  const missing = wishes.filter(([isSet]) => !isSet)
  // Another check says that the relay is missing.
  if (missing.length === 0 && config.smtpRelayUrl === undefined) return []
  if (missing.length === 0) return [ok('public', 'Everything a public instance should set is set.')]
  return missing.map(([, sentence, remedy]) => warning('public', sentence, remedy))
}
