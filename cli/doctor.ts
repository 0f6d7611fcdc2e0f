import { X509Certificate } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { access, constants, readFile, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { type Config, ConfigError, readConfig } from '#server/config.ts'

const DNS_TIMEOUT_MS = 3000
const CERTIFICATE_DAYS_MIN = 14
const DAY_MS = 86_400_000

type Finding = { readonly isWell: boolean; readonly sentence: string }
const well = (sentence: string): Finding => ({ isWell: true, sentence })
const ill = (sentence: string): Finding => ({ isWell: false, sentence })

/** Looks at everything a deployment can get wrong and says in plain sentences what to do. Resolves to 0 when all is well, else 1. */
export async function doctor(env: Readonly<Record<string, string | undefined>>, say: (line: string) => void): Promise<number> {
  const findings = await examine(env)
  for (const { isWell, sentence } of findings) say(`${isWell ? 'ok   ' : 'FIX  '}${sentence}`)
  return findings.every(finding => finding.isWell) ? 0 : 1
}

async function examine(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(problem => ill(problem))
  }
  const parts = [dataFolder(config), disk(config), ports(config), certificate(config), outgoing(config), domains(config)]
  return [well('The configuration can be read.'), ...(await Promise.all(parts)).flat()]
}

async function dataFolder({ dataDir }: Config): Promise<Finding[]> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK)
    return [well(`The data folder ${dataDir} can be written.`)]
  } catch {
    return [
      ill(`The data folder ${dataDir} is not there yet or cannot be written: start the server once, or give its user the folder (chown).`),
    ]
  }
}

async function disk({ dataDir, diskReserveBytes }: Config): Promise<Finding[]> {
  try {
    const { bavail, bsize } = await statfs(dataDir)
    const freeMib = Math.floor((bavail * bsize) / 1024 / 1024)
    if (bavail * bsize > 2 * diskReserveBytes) return [well(`${freeMib} MiB are free on the disk of the data folder.`)]
    return [
      ill(
        `Only ${freeMib} MiB are free: mail is refused below ${Math.ceil(diskReserveBytes / 1024 / 1024)} MiB. Make room or move DATA_DIR.`,
      ),
    ]
  } catch {
    return []
  }
}

async function ports({ host, httpPort, smtpPort }: Config): Promise<Finding[]> {
  const names = { HTTP_PORT: httpPort, SMTP_PORT: smtpPort }
  return Promise.all(
    Object.entries(names).map(async ([name, port]) => {
      const trouble = await whyNot(host, port)
      if (trouble === undefined) return well(`${name} ${port} is free: the server can take it.`)
      if (trouble === 'EADDRINUSE') return well(`${name} ${port} is taken, by the running server if it runs; else choose another ${name}.`)
      return ill(
        `${name} ${port} cannot be opened (${trouble}): ports below 1024 need a privilege; use a higher one behind a proxy or redirect.`,
      )
    }),
  )
}

function whyNot(host: string, port: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', error => resolve('code' in error ? String(error.code) : error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

async function certificate({ tlsCertFile }: Config): Promise<Finding[]> {
  if (tlsCertFile === undefined)
    return [well('STARTTLS uses a certificate made at first start; set TLS_CERT and TLS_KEY for one that senders can verify.')]
  try {
    const { validTo } = new X509Certificate(await readFile(tlsCertFile))
    const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS)
    if (days >= CERTIFICATE_DAYS_MIN) return [well(`The certificate ${tlsCertFile} is valid for ${days} more days.`)]
    return [ill(`The certificate ${tlsCertFile} ${days < 0 ? 'has expired' : `expires in ${days} days`}: renew it and restart.`)]
  } catch {
    return [ill(`The certificate ${tlsCertFile} cannot be read: TLS_CERT must name a PEM file that the server's user may read.`)]
  }
}

async function outgoing({ smtpRelayUrl, contactTo }: Config): Promise<Finding[]> {
  const relay =
    smtpRelayUrl === undefined
      ? ill('SMTP_RELAY_URL is not set: confirmation links are only written to the log. Set it to let people sign up by themselves.')
      : well('Outgoing mail has a relay.')
  const contact =
    contactTo === undefined
      ? well('CONTACT_TO is not set: read contact messages with "npm run mayfly -- contact list".')
      : well('Contact messages are forwarded.')
  return [relay, contact]
}

async function domains({ domains: names, dnsServers }: Config): Promise<Finding[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 })
  if (dnsServers.length > 0) resolver.setServers([...dnsServers])
  return Promise.all(names.map(name => receivesMail(name, resolver)))
}

async function receivesMail(domain: string, resolver: Resolver): Promise<Finding> {
  if (domain.endsWith('.test') || domain === 'localhost')
    return well(`${domain} is a name for trying out: no mail from the internet arrives there.`)
  try {
    const records = await resolver.resolveMx(domain)
    const exchange = records.sort((a, b) => a.priority - b.priority)[0]?.exchange
    if (exchange) return await hasAddress(domain, exchange, resolver)
  } catch (error) {
    if (isSilent(error))
      return ill(`DNS did not answer for ${domain} within ${DNS_TIMEOUT_MS / 1000} s: check the network or set DNS_SERVERS.`)
  }
  return hasAddress(domain, domain, resolver)
}

async function hasAddress(domain: string, host: string, resolver: Resolver): Promise<Finding> {
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = found.flatMap(result => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length > 0) return well(`Mail for ${domain} goes to ${host} (${addresses.join(', ')}); this must be this machine.`)
  return ill(
    `Mail for ${domain} has nowhere to go: give the domain an MX record that names this machine, and that name an A or AAAA record.`,
  )
}

const isSilent = (error: unknown) =>
  error instanceof Error && 'code' in error && ['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED'].includes(String(error.code))
