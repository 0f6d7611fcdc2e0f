// `take`: signs an account up, blocks a domain, changes settings, and remembers these and some mails byte for byte. `compare`: checks that
// all of it is as it was. So a restore or an upgrade that keeps the list of mails but loses a key, an account or a block is noticed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const FILE = '/root/snapshot.json'
const MAILBOX_FILE = '/var/mail/people'
const SITE = 'https://mayfly.example'
const MAILBOXES = 20
const account = { email: 'ada@people.example', password: 'correct horse battery' }
const NOTICE = 'Rehearsal at noon'
const BLOCKED = 'blocked.example'

/** The status of the response, its JSON and its cookies. */
async function ask(path, { body, ...init } = {}) {
  const json = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(SITE + path, { ...json, ...init })
  const text = await response.text()
  const cookie = response.headers.getSetCookie().map(line => line.split(';')[0])
  return { status: response.status, code: /"code":"(\w+)"/.exec(text)?.[1], text, cookie: cookie.join('; ') }
}

function mayfly(...args) {
  const { status, stdout, stderr } = spawnSync('mayfly', args, { encoding: 'utf8' })
  assert.equal(status, 0, `mayfly ${args.join(' ')}: ${stderr}`)
  return stdout
}

async function botCheck() {
  const require = createRequire('/opt/mayfly/current/server/main.ts')
  const { solveChallenge } = require('altcha-lib')
  const { deriveKey } = require('altcha-lib/algorithms/pbkdf2')
  const challenge = JSON.parse((await ask('/api/bot-check/challenge?action=signup')).text)
  const { counter, derivedKey } = await solveChallenge({ challenge, deriveKey })
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
}

const signUp = async email => ask('/api/auth/sign-up', { body: { ...account, email, language: 'en', botCheck: await botCheck() } })

/** Postfix delivers mail for people.example to this file. */
async function confirmationToken() {
  for (let tries = 0; tries < 600; tries++) {
    const mail = spawnSync('cat', [MAILBOX_FILE], { encoding: 'utf8' }).stdout.replace(/=\r?\n/g, '')
    const token = /\/auth\/confirm[^#\s]*#([\w-]{43})/.exec(mail)?.[1]
    if (token) return token
    await sleep(200)
  }
  throw new Error('the confirmation mail did not arrive')
}

/** The oldest mail of some mailboxes: what was sent is all there. */
async function readMails() {
  const mails = []
  for (const { email, token } of JSON.parse(readFileSync('/root/mailboxes.json', 'utf8')).slice(0, MAILBOXES)) {
    const headers = { authorization: `Bearer ${token}` }
    const { messages } = JSON.parse((await ask('/api/mailbox/messages', { headers })).text)
    const { id, subject } = messages.at(-1)
    const { authentication: _, ...message } = JSON.parse((await ask(`/api/mailbox/messages/${id}`, { headers })).text)
    const raw = Buffer.from(await (await fetch(`${SITE}/api/mailbox/messages/${id}/raw`, { headers })).arrayBuffer())
    assert.ok(raw.toString().endsWith(`Subject: ${subject}\r\n\r\nUnder load.\r\n`), `${email}: ${raw}`)
    mails.push({ email, message, sha256: createHash('sha256').update(raw).digest('hex') })
  }
  return mails
}

/** The last reply to a mail from this sender up to RCPT. */
async function replyTo(sender, recipient) {
  const socket = connect(25, '203.0.113.5')
  const lines = ['EHLO load.example', `MAIL FROM:<${sender}>`, `RCPT TO:<${recipient}>`]
  let heard = ''
  for await (const chunk of socket) {
    heard += chunk
    const last = /^\d{3} .*\r\n/m.exec(heard)
    if (!last) continue
    if (lines.length === 0 || /^[45]/.test(last[0])) return last[0].trim()
    heard = ''
    socket.write(`${lines.shift()}\r\n`)
  }
  return 'closed'
}

async function take() {
  assert.equal((await signUp(account.email)).status, 202)
  const token = await confirmationToken()
  assert.equal((await ask('/api/auth/confirm', { body: { token, password: account.password } })).status, 204)
  const { status, cookie } = await ask('/api/auth/sign-in', { body: account })
  assert.equal(status, 200)
  mayfly('block', 'add', 'domain', BLOCKED)
  mayfly('notice', 'set', '--en', NOTICE, '--es', NOTICE)
  mayfly('registration', 'close')
  writeFileSync(FILE, JSON.stringify({ cookie, mails: await readMails() }))
}

async function compare() {
  const { cookie, mails } = JSON.parse(readFileSync(FILE, 'utf8'))
  assert.deepEqual(await readMails(), mails)
  assert.equal((await ask('/api/auth/sign-in', { body: account })).status, 200)
  const { session } = JSON.parse((await ask('/api/auth/session', { headers: { cookie } })).text)
  assert.equal(session?.email, account.email, 'a session of before goes on')
  assert.match(mayfly('block', 'list'), new RegExp(`domain +${BLOCKED}`))
  // A process reads what the operator set within two seconds of its start.
  await sleep(2500)
  const [{ email }] = mails
  assert.match(await replyTo(`ann@${BLOCKED}`, email), /^5/)
  assert.match(await replyTo('ann@sender.example', email), /^250/)
  assert.equal((await signUp('eve@people.example')).code, 'registration_closed')
  assert.ok((await ask('/contact')).text.includes(NOTICE))
  console.log(`${mails.length} mails byte for byte, the account, its session, a block and two settings are as they were`)
}

await (process.argv[2] === 'take' ? take() : compare())
