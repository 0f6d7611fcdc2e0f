/**
 * The rights that the user of MAIL_STORE_URL needs, as rules of ACL SETUSER. Each is tried at the start and by the doctor, since without
 * one of them mail or its readers would wait in silence. A test holds this table against every command that this folder sends.
 */
import { type Argument, addressKey, type NodeConnection } from './node-connection.ts'
import { EngineError } from './reply-reader.ts'
import { keySlot, nodesOf, type Shard, type Topology } from './topology.ts'

/** Every key and channel begins with it. */
export const PREFIX = 'mayfly:'
const PATTERNS = [`~${PREFIX}*`, `&${PREFIX}*`]

type Right = {
  /** The name that ACL SETUSER takes after a plus sign. */
  readonly command: string
  /** A call that changes nothing that anybody reads. Each may follow those before it. */
  readonly trial: (key: string) => readonly [name: string, ...args: Argument[]]
  /** Needed where `MAIL_STORE_REPLICAS` says `+sync` only; the engine may be too old to know it. */
  readonly isForSync?: boolean
  /** A master passes it on to its replicas. One that does not know it leaves it out, and `WAIT` counts it all the same. */
  readonly isWrite?: boolean
}

/**
 * Without one of these a mail gets no 250: a large one without `set`, and any without `asking` while its slot moves. The others are for
 * readers, new addresses, limits and what is read of the cluster.
 */
const FOR_MAIL = [
  ...['info', 'wait', 'waitaof', 'script|load', 'evalsha', 'asking', 'set'],
  ...['pexpireat', 'pexpiretime', 'hset', 'hget', 'hmget'],
]

const right = (command: string, trial: (key: string) => readonly Argument[] = () => [], isForSync = false): Right => {
  const [name = '', ...sub] = command.toUpperCase().split('|')
  return { command, isForSync, trial: key => [name, ...sub, ...trial(key)] }
}
const write = (command: string, trial: (key: string) => readonly Argument[]): Right => ({ ...right(command, trial), isWrite: true })

const RIGHTS: readonly Right[] = [
  right('ping'),
  right('info', () => ['server']),
  right('time'),
  right('dbsize'),
  right('asking'),
  right('cluster|info'),
  right('cluster|slots'),
  right('cluster|nodes'),
  right('scan', () => [0, 'COUNT', 1]),
  right('wait', () => [0, 1]),
  right('waitaof', () => [0, 0, 1], true),
  right('script|load', () => ['return 1']),
  right('evalsha', key => ['0'.repeat(40), 1, key]),
  write('set', key => [key, '1', 'PX', 1000]),
  right('get', key => [key]),
  write('incrby', key => [key, 1]),
  right('pttl', key => [key]),
  write('pexpire', key => [key, 1000]),
  write('pexpireat', key => [key, Date.now() + 1000]),
  right('pexpiretime', key => [key]),
  write('unlink', key => [key]),
  write('hset', key => [key, 'a', '1']),
  right('hget', key => [key, 'a']),
  right('hmget', key => [key, 'a', 'b']),
  write('hdel', key => [key, 'a']),
  write('del', key => [key]),
  right('spublish', key => [key, '']),
  right('ssubscribe', key => [key]),
  right('sunsubscribe', key => [key]),
]

/** Whether mail and its readers need a rule only to hear of each other at once. */
export const isForEvents = (rule: string) => rule.startsWith('&') || /^\+s(publish|subscribe|unsubscribe)$/.test(rule)

/** Whether senders get no 250 without a rule. */
export const isForMail = (rule: string) => rule.startsWith('~') || FOR_MAIL.includes(rule.replace('+', ''))

/** Without it every step of a mail is published, watched or not. */
const OPTIONAL = ['pubsub|shardnumsub']

/** The rules of ACL SETUSER for a user that has no other right. */
export function aclRules(isSynced: boolean): string[] {
  const commands = RIGHTS.filter(({ isForSync }) => isSynced || !isForSync).map(({ command }) => command)
  return [...PATTERNS, ...[...commands, ...OPTIONAL].map(command => `+${command}`)]
}

/**
 * The rules that the user lacks at this node, and the commands that the node does not know by their names. Commands about keys that the
 * node does not have are refused after their right is checked.
 */
export async function findMissingRules(connection: NodeConnection, topology: Topology | undefined, isSynced: boolean) {
  const key = foreignKey(connection, topology)
  const [rules, unknown] = [new Set<string>(), new Map<string, string>()]
  let leavesWritesOut = false
  const tried = RIGHTS.filter(({ isForSync }) => isSynced || !isForSync).map(async ({ command, trial, isForSync, isWrite }) => {
    const [name, ...args] = trial(key)
    try {
      await connection.call(name, ...args)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      // Its version tells why it lacks a command that is needed for `+sync`.
      if (/^ERR unknown command/i.test(error.message) && !isForSync) {
        unknown.set(`+${command}`, name)
        leavesWritesOut ||= isWrite === true
      }
      if (!error.message.startsWith('NOPERM')) return
      // "… no permissions to access one of the keys", "… channels", "… to run the 'get' command"
      const pattern = [/\bkeys?\b/, /\bchannels?\b/].findIndex(words => words.test(error.message))
      rules.add(PATTERNS[pattern] ?? `+${command}`)
    }
  })
  await Promise.all(tried)
  return { rules: [...rules], unknown, leavesWritesOut }
}

/** In a slot of another master, so that nothing is written. A master that has all slots gets a key that it forgets at once. */
function foreignKey({ name }: NodeConnection, topology: Topology | undefined): string {
  const isForeign = (shard: Shard) => nodesOf(shard).every(node => addressKey(node) !== name)
  return (topology && findKey(isForeign, topology)) ?? `${PREFIX}rights`
}

/** Every shard of a large cluster has one of so many names. */
const NAMES_TRIED = 10_000

/** A key that nobody uses, in a shard of which `isWanted` says so. */
export function findKey(isWanted: (shard: Shard) => boolean, topology: Topology): string | undefined {
  for (let n = 0; n < NAMES_TRIED; n++) {
    const key = `${PREFIX}rights:${n}`
    const shard = topology.shardOf(keySlot(key))
    if (shard && isWanted(shard)) return key
  }
  return undefined
}
