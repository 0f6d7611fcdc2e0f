import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { ownNetwork } from './own-network.mjs'

const words = ownNetwork()
/** An address of the tests' own range, which no other test uses. */
const ADDRESS = `198.19.${process.pid % 250}.1/32`

/** Runs in the network: reaches itself, says so, and hears of addresses until its input ends. */
const PROGRAM = `
  const { createServer, connect } = require('node:net')
  const { spawn } = require('node:child_process')
  const server = createServer(socket => socket.end()).listen(0, '127.0.0.1', () => {
    connect(server.address().port, '127.0.0.1').on('connect', () => {
      server.close()
      const monitor = spawn('ip', ['monitor', 'address'], { stdio: ['ignore', 'inherit', 'inherit'] })
      monitor.on('spawn', () => console.log('ready'))
      process.stdin.on('data', () => require('node:child_process').execFileSync('ip', ['addr', 'add', '198.18.0.5/32', 'dev', 'lo']))
      process.stdin.on('end', () => monitor.kill())
    })
  })`

test.skipIf(words.length === 0)('a network of its own reaches itself and hears of no address outside (needs root on Linux)', async () => {
  const [command = '', ...args] = [...words, process.execPath, '-e', PROGRAM]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let heard = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    heard += text
  })
  await expect.poll(() => heard).toContain('ready')
  execFileSync('ip', ['addr', 'add', ADDRESS, 'dev', 'lo'])
  execFileSync('ip', ['addr', 'del', ADDRESS, 'dev', 'lo'])
  // Its own address is heard, so that it would have heard the other one before.
  child.stdin.write('add')
  await expect.poll(() => heard).toContain('198.18.0.5')
  child.stdin.end()
  await once(child, 'exit')
  expect(heard).not.toContain('198.19.')
})
