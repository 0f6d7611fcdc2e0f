/** Saves the mailbox that the last command created, so that the next one needs no token. Readable by its owner only. */
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { MAILBOX_TOKEN } from '../../contract/text-patterns.ts'
import { CommandError, EXIT, usageError } from './exit-codes.ts'

const savedSchema = z.object({ url: z.string(), address: z.string(), token: z.string(), expiresAt: z.string() })
type SavedMailbox = z.infer<typeof savedSchema>

export const MAILBOX_NAME_DEFAULT = 'default'
const NAME = /^[\w.-]{1,60}$/

type Environment = Readonly<Record<string, string | undefined>>

/** The XDG folder for data that outlives a command and is not a setting. */
const stateFolder = (env: Environment): string => join(env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'mayfly-client')

function savedMailboxFile(name: string, env: Environment): string {
  if (!NAME.test(name) || MAILBOX_TOKEN.test(name))
    throw usageError(`"${name}" cannot be the name of a mailbox: use letters, digits, dots, hyphens and underscores.`)
  return join(stateFolder(env), `${name}.json`)
}

export async function saveMailbox(name: string, mailbox: SavedMailbox, env: Environment): Promise<void> {
  const file = savedMailboxFile(name, env)
  await makeFolder(stateFolder(env))
  // Written to a new file and renamed, so that a reader never sees half of it. An existing file would keep its permissions.
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, `${JSON.stringify(mailbox)}\n`, { mode: 0o600 })
  await chmod(fresh, 0o600)
  await rename(fresh, file)
}

/** With its parents. One after the other, because Node's `recursive` never returns below /proc. */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 }).catch(ignore('EEXIST'))
  await make().catch(async error => {
    ignore('ENOENT')(error)
    await makeFolder(dirname(folder))
    await make()
  })
}

const ignore = (code: string) => (error: unknown) => {
  if ((error as NodeJS.ErrnoException).code !== code) throw error
}

/** Finds a saved mailbox by name. A token itself is accepted too, for the server at `url`. */
export async function loadMailbox(nameOrToken: string, url: string, env: Environment): Promise<Pick<SavedMailbox, 'url' | 'token'>> {
  if (MAILBOX_TOKEN.test(nameOrToken)) return { url, token: nameOrToken }
  const missing = nameOrToken === MAILBOX_NAME_DEFAULT ? 'There is no mailbox yet' : `There is no mailbox "${nameOrToken}"`
  try {
    return z.parse(savedSchema, JSON.parse(await readFile(savedMailboxFile(nameOrToken, env), 'utf8')))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(EXIT.notFound, `${missing}. Make one with "mayfly-client new".`, { code: 'mailbox_not_found' })
  }
}

export async function forgetMailbox(name: string, env: Environment): Promise<void> {
  if (!MAILBOX_TOKEN.test(name)) await rm(savedMailboxFile(name, env), { force: true })
}
