import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { askServer, identifyServer } from '#server/operator/control.ts'
import { exitCodeFor, type Finding, failure, type OutsideServers, ok } from '#server/operator/doctor/context.ts'
import { examine, MAIL_PORT, TIME_SERVER } from '#server/operator/doctor/doctor.ts'
import { readNamedCertificate } from '#server/platform/certificates/mail-certificate.ts'
import { type Config, ConfigError, readConfig } from '#server/platform/config/config.ts'
import { createNameServer } from '#server/platform/net/name-server.ts'
import { jsonLine, plainLine } from '../client/cli/terminal.ts'
import { SETTINGS } from './settings-file.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Options = { readonly isJson: boolean; readonly outside?: OutsideServers; readonly settingsFile?: string }

const MARKS = { ok: 'ok   ', warning: 'HINT ', failure: 'FIX  ' } as const

/** Resolves to 0 if nothing fails, else 1. Warnings do not count. */
export async function doctor(
  env: Environment,
  { isJson, outside, settingsFile = SETTINGS }: Options,
  say: (line: string) => void,
): Promise<number> {
  const isForgotten = ['PUBLIC_URL', 'MAIL_DOMAINS', 'DATA_DIR'].every(name => env[name] === undefined) && existsSync(settingsFile)
  const findings = isForgotten ? [forgottenSettings(settingsFile)] : await examineFrom(env, outside)
  // They quote what other servers said.
  if (isJson) say(jsonLine({ findings }).trimEnd())
  else for (const { status, sentence, remedy } of findings) say(MARKS[status] + plainLine(remedy ? `${sentence} ${remedy}` : sentence))
  return exitCodeFor(findings)
}

/** In a clone, on a machine whose server has its settings elsewhere: the defaults would be examined, and nobody uses them. */
function forgottenSettings(file: string): Finding {
  return failure(
    'configuration',
    `The server of this machine has its settings in ${file}, which this command was not given.`,
    'Run: mayfly doctor',
  )
}

async function examineFrom(env: Environment, outside: OutsideServers = {}): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(problem => failure('configuration', `${problem}.`, 'docs/configuration.md lists every variable.'))
  }
  const { dataDir } = config
  const context = {
    config,
    names: createNameServer(config.dnsServers),
    identify: () => identifyServer(dataDir),
    createProbe: async () => {
      const reply = await askServer(dataDir, { createProbe: true })
      if (reply?.failure !== undefined) throw new Error(reply.failure)
      return reply?.probe
    },
    mailPort: MAIL_PORT,
    timeServer: TIME_SERVER,
    clock: Date.now,
    ...outside,
  }
  return [ok('configuration', 'The configuration can be read.'), ...certificateFile(config), ...(await examine(context))]
}

function certificateFile(config: Config): Finding[] {
  try {
    const named = readNamedCertificate(config)
    if (!named) return []
    const { validTo } = new X509Certificate(named.cert)
    return [ok('certificate', `The certificate ${config.tlsCertFile} and its key belong together; it is valid until ${validTo}.`)]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const remedy = 'Name the PEM files of one certificate and its key, which the server’s user may read.'
    return error.problems.map(problem => failure('certificate', `${problem}.`, remedy))
  }
}
