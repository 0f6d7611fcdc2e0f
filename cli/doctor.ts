import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { askServer } from '#server/operator/control.ts'
import { createNameServer, exitCodeFor, type Finding, failure, type OutsideServers, ok } from '#server/operator/doctor/context.ts'
import { examine, MAIL_PORT, TIME_SERVER } from '#server/operator/doctor/doctor.ts'
import { type Config, ConfigError, readConfig } from '#server/platform/config/config.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Options = { readonly isJson: boolean; readonly surroundings?: OutsideServers }

const MARKS = { ok: 'ok   ', warning: 'HINT ', failure: 'FIX  ' } as const

/** Resolves to 0 if nothing fails, else 1. Warnings do not count. */
export async function doctor(env: Environment, { isJson, surroundings }: Options, say: (line: string) => void): Promise<number> {
  const findings = await examineFrom(env, surroundings)
  if (isJson) say(JSON.stringify({ findings }))
  else for (const { status, sentence, remedy } of findings) say(`${MARKS[status]}${sentence}${remedy === undefined ? '' : ` ${remedy}`}`)
  return exitCodeFor(findings)
}

async function examineFrom(env: Environment, surroundings: OutsideServers = {}): Promise<Finding[]> {
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
    identify: async () => (await askServer(dataDir, {}))?.identity,
    createProbe: async () => {
      const reply = await askServer(dataDir, { createProbe: true })
      if (reply?.failure !== undefined) throw new Error(reply.failure)
      return reply?.probe
    },
    mailPort: MAIL_PORT,
    timeServer: TIME_SERVER,
    clock: Date.now,
    ...surroundings,
  }
  return [ok('configuration', 'The configuration can be read.'), ...(await certificateFile(config)), ...(await examine(context))]
}

async function certificateFile({ tlsCertFile }: Config): Promise<Finding[]> {
  if (tlsCertFile === undefined) return []
  try {
    const { validTo } = new X509Certificate(await readFile(tlsCertFile))
    return [ok('certificate', `The certificate ${tlsCertFile} can be read; it is valid until ${validTo}.`)]
  } catch {
    return [
      failure(
        'certificate',
        `The certificate ${tlsCertFile} cannot be read.`,
        'TLS_CERT must name a PEM file that the server’s user may read.',
      ),
    ]
  }
}
