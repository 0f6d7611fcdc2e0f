/**
 * Network namespaces of Linux: two with a link between them that can be cut and a permanent link to each for the test, or machines on a
 * network of their own. Needs root.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Place } from './servers/redis-cluster.ts'

type Sides = Disposable & { readonly minority: Place; readonly majority: Place; cut(): void; mend(): void }

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })

/** Whether this machine allows creating them. */
export function canPartition(): boolean {
  try {
    makeSides()[Symbol.dispose]()
    return true
  } catch {
    return false
  }
}

export function makeSides(): Sides {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-netns-'))
  const tag = `mf${process.pid % 100_000}`
  const net = 1 + (process.pid % 250)
  const names = [`${tag}a`, `${tag}b`] as const
  const remove = () => {
    for (const name of names) {
      try {
        ip('netns', 'del', name)
      } catch {
        // It was never made.
      }
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (const name of names) {
      ip('netns', 'add', name)
      ip('-n', name, 'link', 'set', 'lo', 'up')
    }
    const [a, b] = names
    ip('link', 'add', `${a}x`, 'netns', a, 'type', 'veth', 'peer', 'name', `${b}x`, 'netns', b)
    for (const [i, name] of names.entries()) {
      ip('-n', name, 'addr', 'add', `10.${net}.0.${i + 1}/24`, 'dev', `${name}x`)
      ip('-n', name, 'link', 'set', `${name}x`, 'up')
      ip('link', 'add', `${name}o`, 'type', 'veth', 'peer', 'name', `${name}i`, 'netns', name)
      ip('addr', 'add', `10.${net}.${i + 1}.1/24`, 'dev', `${name}o`)
      ip('link', 'set', `${name}o`, 'up')
      ip('-n', name, 'addr', 'add', `10.${net}.${i + 1}.2/24`, 'dev', `${name}i`)
      ip('-n', name, 'link', 'set', `${name}i`, 'up')
    }
    const place = (i: 0 | 1): Place => ({
      host: `10.${net}.0.${i + 1}`,
      reachedAt: `10.${net}.${i + 1}.2`,
      run: program => wrap(folder, names[i], program),
    })
    return {
      minority: place(0),
      majority: place(1),
      cut: () => ip('-n', a, 'link', 'set', `${a}x`, 'down'),
      mend: () => ip('-n', a, 'link', 'set', `${a}x`, 'up'),
      [Symbol.dispose]: remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}

type Machines = Disposable & {
  /** The words to put before a command that runs on the machine with this address. */
  on(address: string): readonly [string, ...string[]]
}

/** One machine for each address of 10.0.0.0/24. Nothing outside reaches them, and they reach nothing outside. */
export function makeMachines(addresses: readonly string[]): Machines {
  const tag = `mm${process.pid % 100_000}`
  const wire = `${tag}w`
  const names = addresses.map((_, i) => `${tag}${i}`)
  const remove = () => {
    for (const name of [...names, wire]) {
      try {
        ip('netns', 'del', name)
      } catch {
        // It was never made.
      }
    }
  }
  try {
    ip('netns', 'add', wire)
    ip('-n', wire, 'link', 'add', 'bridge', 'type', 'bridge')
    ip('-n', wire, 'link', 'set', 'bridge', 'up')
    for (const [i, name] of names.entries()) {
      ip('netns', 'add', name)
      ip('-n', name, 'link', 'set', 'lo', 'up')
      ip('-n', wire, 'link', 'add', `port${i}`, 'type', 'veth', 'peer', 'name', 'net', 'netns', name)
      ip('-n', wire, 'link', 'set', `port${i}`, 'master', 'bridge', 'up')
      ip('-n', name, 'addr', 'add', `${addresses[i]}/24`, 'dev', 'net')
      ip('-n', name, 'link', 'set', 'net', 'up')
    }
    return {
      on: address => ['ip', 'netns', 'exec', names[addresses.indexOf(address)] ?? '', 'env'],
      [Symbol.dispose]: remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** A one-line script that runs `program` in the namespace with the given arguments. */
function wrap(folder: string, namespace: string, program: string): string {
  const path = join(folder, `${namespace}-${basename(program)}`)
  // Written once, because another node may be running it.
  if (existsSync(path)) return path
  writeFileSync(path, `#!/bin/sh\nexec ip netns exec ${namespace} '${program}' "$@"\n`)
  chmodSync(path, 0o700)
  return path
}
