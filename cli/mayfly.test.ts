/** Every command of the operator as its own process, on the data folder of a server that is running. */
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { routes } from '#contract/routes.ts'
import { version } from '#server/platform/installation.ts'
import { mayflyBytes, runMayfly } from '#test/harness/clients/mayfly-command.ts'
import { COMPILED_CODE } from '#test/harness/compiled-code.ts'
import { receive } from '#test/harness/mayfly/start-mail.ts'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { newFolder, untilEnd } from '#test/harness/until-end.ts'
import { readCommandLine } from '../client/cli/command-line.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { COMMAND_LINE } from './commands.ts'
import { doctor } from './doctor.ts'

const site = await untilEnd(startTestServer())

const mayfly = (args: readonly string[], env = {}, user = {}) => runMayfly(args, { DATA_DIR: site.folder, ...env }, user)

/** Returns what the command would print, or the refusal of these words. It opens nothing before it has understood them. */
async function parse(...words: string[]): Promise<string> {
  const read = readCommandLine(COMMAND_LINE, words)
  if ('printed' in read) return read.text
  await read.row.run(read, () => undefined, false)
  throw new Error(`${words.join(' ')} is understood`)
}

async function write(form: Partial<Record<'name' | 'email' | 'subject' | 'message' | 'language', string>>): Promise<void> {
  const whole = { name: 'Ada L.', email: 'ada@example.com', subject: 'A question', message: 'How does it work?', language: 'en', ...form }
  expect((await site.visitor().post(routes.contact, whole)).status).toBe(202)
}

async function mailTo(recipient: string, raw: Buffer): Promise<void> {
  const envelope = { from: 'reporter@example.net', recipients: [recipient], clientAddress: '192.0.2.1', helo: 'x', isEncrypted: false }
  expect(await receive(site.app.mail, envelope, raw)).toBe('delivered')
}

/** The newest number in a list. */
async function findNewest(command: string): Promise<string> {
  return /^(?:new | {4})(\d+)/.exec((await mayfly([command, 'list'])).out)?.[1] ?? ''
}

describe('token', () => {
  test('new prints a token, and a setting that does not contain it', async () => {
    const { code, out, err } = await mayfly(['token', 'new', 'ci'])
    expect([code, err]).toEqual([0, ''])
    const [token] = /^mft_[\w-]{43}$/m.exec(out) ?? ['']
    const [, line] = /^ {2}API_TOKENS=(.+)$/m.exec(out) ?? []
    expect(line).toBe(`ci:${createHash('sha256').update(token).digest('hex')}`)
    await using server = await startTestServer({ env: { API_TOKENS: line ?? '' } })
    const asked = await server.visitor({ authorization: `Bearer ${token}` }).ask('GET', routes.mailboxes)
    expect([asked.status, asked.text]).toEqual([200, '{"mailboxes":[]}'])
  })

  test('create makes one that the running server knows at once, list names it, and revoke ends it', async () => {
    const { code, out } = await mayfly(['token', 'create', 'nightly'])
    expect(code).toBe(0)
    const [token] = /^mft_[\w-]{43}$/m.exec(out) ?? ['']
    const ask = async () => (await site.visitor({ authorization: `Bearer ${token}` }).ask('GET', routes.mailboxes)).status
    expect(await ask()).toBe(200)
    const sha256 = createHash('sha256').update(token).digest('hex')
    expect(await site.withDatabase(({ db }) => db.selectFrom('api_tokens').select(['name', 'sha256']).execute())).toEqual([
      { name: 'nightly', sha256 },
    ])
    expect((await mayfly(['token', 'list'])).out).toMatch(/^nightly +created 20\S+Z {2}last used 20\S+Z\n$/)
    expect(await mayfly(['token', 'create', 'nightly'])).toMatchObject({ code: 1, out: '' })
    const by = (credential: string) => site.visitor({ authorization: `Bearer ${credential}` })
    expect((await by(token).post(routes.webhooks, { url: 'https://hooks.example/' })).status).toBe(201)
    expect((await by(token).post(routes.mailboxes, {})).status).toBe(201)
    expect(await mayfly(['token', 'revoke', 'nightly'])).toMatchObject({ code: 0 })
    expect(await ask()).toBe(401)
    const [successor] = /^mft_[\w-]{43}$/m.exec((await mayfly(['token', 'create', 'nightly'])).out) ?? ['']
    for (const list of [routes.webhooks, routes.mailboxes])
      expect(Object.values(JSON.parse((await by(successor).ask('GET', list)).text)), `${list}: nothing is inherited`).toEqual([[]])
    expect(await mayfly(['token', 'revoke', 'nightly'])).toMatchObject({ code: 0 })
    expect(await mayfly(['token', 'revoke', 'nightly'])).toMatchObject({ code: 4, err: 'There is no token "nightly".\n' })
    expect((await mayfly(['audit'])).out).toMatch(/token\.revoke nightly\n.*token\.create nightly\n/)
  })

  test('revoke says when API_TOKENS has a token of the same name, which works on', async () => {
    const env = { API_TOKENS: `twice:${'ab'.repeat(32)}` }
    expect(await mayfly(['token', 'create', 'twice'])).toMatchObject({ code: 0 })
    const stored = await mayfly(['token', 'revoke', 'twice'], env)
    expect(stored).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is revoked, but API_TOKENS has one of the same name') })
    expect((await mayfly(['token', 'list'])).out).not.toContain('twice')
    const left = await mayfly(['token', 'revoke', 'twice'], env)
    expect(left).toMatchObject({ code: 1, err: expect.stringMatching(/^"twice" is in API_TOKENS: remove it there/) })
  })
})

describe('contact', () => {
  test('list says when there are no messages', async () => {
    expect(await mayfly(['contact', 'list'])).toMatchObject({ code: 0, out: 'There are no contact messages.\n', err: '' })
    expect((await mayfly(['contact', 'export'])).out.split('\r\n')).toHaveLength(2)
  })

  test('list shows one line per message, newest first; read shows one and marks it', async () => {
    await write({ subject: 'The first question' })
    await write({ name: 'Íñigo Núñez', subject: '¿Y la segunda?', message: 'Primera línea\n\tsegunda línea', language: 'es' })
    const listed = await mayfly(['contact', 'list'])
    expect(listed.code).toBe(0)
    expect(listed.out).toMatch(
      /^new (\d+) {2}\d{4}-\d\d-\d\dT\S+Z {2}Íñigo Núñez <ada@example.com> {2}¿Y la segunda\?\nnew \d+ {2}\S+ {2}Ada L\. <ada@example.com> {2}The first question\n$/,
    )
    const id = await findNewest('contact')
    const read = await mayfly(['contact', 'read', id])
    expect(read).toMatchObject({ code: 0, err: '' })
    expect(read.out).toMatch(
      /^From: {5}Íñigo Núñez <ada@example.com>\nReceived: \S+Z\nLanguage: es\nSubject: {2}¿Y la segunda\?\n\nPrimera línea\n\tsegunda línea\n$/,
    )
    expect((await mayfly(['contact', 'list'])).out).toMatch(new RegExp(`^ {4}${id} .*\nnew \\d+ `))
  })

  test('a message cannot control the terminal', async () => {
    await write({ name: 'Eve', message: 'text \u202E turned\nand more' })
    // The form refuses such a name today, and earlier ones did not.
    const earlier = { name: 'Eve \u202Egpj.exe', subject: 'a\u061C b\u2066 question' }
    await site.withDatabase(({ db }) => db.updateTable('contact_messages').set(earlier).where('name', '=', 'Eve').execute())
    const listed = await mayfly(['contact', 'list'])
    const read = await mayfly(['contact', 'read', await findNewest('contact')])
    for (const { out } of [listed, read]) {
      expect(out).not.toMatch(/\p{Bidi_Control}|[^\P{Cc}\t\n]/u)
      expect(out).toContain('Eve \uFFFDgpj.exe')
    }
  })

  test('export is UTF-8 CSV with a byte order mark, oldest first', async () => {
    for (const name of ['Ñandú, 東京 and 😀', '+1 555']) await write({ name })
    const { code, bytes, err } = await mayflyBytes(['contact', 'export'], { DATA_DIR: site.folder })
    expect([code, err]).toEqual([0, ''])
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    expect(text).toMatch(/^\uFEFF"id","received",.*"Ñandú, 東京 and 😀".*"'\+1 555"/s)
    const ids = [...text.matchAll(/^"(\d+)"/gm)].map(([, id]) => Number(id))
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
  })

  test('an unknown number and an invalid number get different errors', async () => {
    expect(await mayfly(['contact', 'read', '999999'])).toMatchObject({
      code: 4,
      out: '',
      err: 'There is no contact message 999999: "contact list" shows which there are.\n',
    })
  })
})

describe('operator-mail', () => {
  const raw = Buffer.concat([
    Buffer.from('From: x@example.net\r\nSubject: report\r\n\r\n'),
    Buffer.from([0, 255, 128, 13, 10]),
    Buffer.from('end\r\n'),
  ])

  test('lists mail to postmaster and abuse, and exports it byte for byte', async () => {
    expect((await mayfly(['operator-mail', 'list'])).out).toBe('There is no operator mail.\n')
    await mailTo('Abuse@mayfly.test', raw)
    const { code, out } = await mayfly(['operator-mail', 'list'])
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^new \\d+ {2}\\S+Z {2}${raw.length} bytes {2}<reporter@example.net> to abuse@mayfly.test\n$`))
    const id = await findNewest('operator-mail')
    const read = await mayflyBytes(['operator-mail', 'read', id], { DATA_DIR: site.folder })
    expect(read).toEqual({ code: 0, bytes: raw, err: '' })
    expect((await mayfly(['operator-mail', 'list'])).out).toMatch(/^ {4}\d+ /)
    expect(await mayfly(['operator-mail', 'read', '77'])).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('no operator mail 77'),
    })
  })

  test('mail encrypted under another secret is reported and stays unread', async () => {
    await mailTo('postmaster@mayfly.test', Buffer.from('Subject: sealed\r\n\r\nx\r\n'))
    const id = await findNewest('operator-mail')
    const other = { SECRET: 'x'.repeat(32) }
    expect((await mayfly(['operator-mail', 'list'], other)).out).toMatch(
      /^new \d+ {2}\S+Z {2}\d+ bytes {2}\(sealed under another SECRET\)\n/,
    )
    const read = await mayfly(['operator-mail', 'read', id], other)
    expect([read.code, read.out]).toEqual([1, ''])
    expect(read.err).toContain('set the one the server had then')
    expect((await mayfly(['operator-mail', 'read', id])).out).toContain('Subject: sealed')
  })
})

test('stats counts the rows of the database', async () => {
  await site.account('counted@example.com')
  expect((await site.visitor().post('/api/blog/views/identify-ai-phishing', {})).status).toBe(200)
  const { code, out } = await mayfly(['stats'])
  expect(code).toBe(0)
  expect(out).toMatch(/^users {15}1$/m)
  expect(out).toMatch(/^sessions {12}0$/m)
  expect(out).toMatch(/^views of identify-ai-phishing +1$/m)
})

describe('account', () => {
  test('list and show tell what there is, and nothing that the account keeps to itself', async () => {
    const signedIn = await site.signedIn('lister@example.com')
    const created = await signedIn.post(routes.mailboxes, {})
    expect(created.status).toBe(201)
    expect((await mayfly(['account', 'list'])).out).toMatch(/^20\S+Z {2}lister@example\.com$/m)
    const { out } = await mayfly(['account', 'show', 'lister@example.com'])
    expect(out).toMatch(/^lister@example\.com\ncreated 20\S+Z, language en\nsessions +1\naddresses +1\napiAddresses +0\nwebhooks +0\n$/)
    expect((await mayfly(['account', 'suspend', 'lister@example.com'])).code).toBe(0)
    expect((await mayfly(['account', 'list'])).out).toContain('lister@example.com  suspended\n')
    expect(await mayfly(['account', 'show', 'nobody@example.com'])).toMatchObject({ code: 4 })
  })
})

test('doctor finds no problem with a relay, and without one says what to do', async () => {
  const ports = { HTTP_PORT: String(site.app.httpPort), SMTP_PORT: String(site.app.smtpPort), HOST: '127.0.0.1' }
  const well = await mayfly(['doctor'], { ...ports, SMTP_RELAY_URL: site.recorder.url })
  expect(well.code, well.out).toBe(0)
  expect(well.out).toContain(`HTTP on port ${site.app.httpPort}, SMTP on port ${site.app.smtpPort}`)
  const json = await mayfly(['doctor', '--json'], { ...ports, SMTP_RELAY_URL: site.recorder.url })
  expect(JSON.parse(json.out).findings).toContainEqual(expect.objectContaining({ check: 'server', status: 'ok' }))
  const ill = await mayfly(['doctor'], ports)
  expect(ill.code).toBe(1)
  expect(ill.out).toMatch(/^FIX {2}SMTP_RELAY_URL is not set: .* Set it /m)
  const worse = await mayfly(['doctor'], {
    ...ports,
    DATA_DIR: join(site.folder, 'nowhere'),
    TLS_CERT: '/nowhere.pem',
    TLS_KEY: '/nowhere.pem',
  })
  expect(worse.out).toMatch(/^FIX {2}The data folder .* Start the server once/m)
  expect(worse.out).toMatch(/^FIX {2}TLS_CERT names a file that cannot be read/m)
  const wrong = await mayfly(['doctor'], { HTTP_PORT: 'eighty', LIFETIME_SECONDS: '-1' })
  expect([wrong.code, wrong.out.split('\n').filter(line => line.startsWith('FIX')).length]).toEqual([1, 2])
})

test('doctor prints nothing of another server that would control the terminal', async () => {
  const relay = createServer(socket => socket.end('554 \x1b]0;owned\x07\u009b2J no\r\n')).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const { port } = relay.address() as AddressInfo
  const env = { SMTP_RELAY_URL: `smtp://127.0.0.1:${port}` }
  const { out } = await mayfly(['doctor'], env)
  const json = await mayfly(['doctor', '--json'], env)
  relay.close()
  expect(out).toContain('554 \uFFFD]0;owned\uFFFD\uFFFD2J no')
  expect(json.out).toMatch(/^\{.*554 \\u001b\]0;owned\\u0007\\u009b2J no.*\}\n$/)
})

test('doctor in a clone without settings names the command that reads those of the server', async () => {
  const settingsFile = join(site.folder, 'mayfly.env')
  await writeFile(settingsFile, '')
  const said: string[] = []
  expect(await doctor({}, { isJson: false, settingsFile }, line => said.push(line))).toBe(1)
  expect(said).toEqual([
    expect.stringMatching(`^FIX  The server of this machine has its settings in ${settingsFile}, .* Run: mayfly doctor$`),
  ])
})

test('doctor never advises to end another Mayfly', async () => {
  const dataDir = join(site.folder, 'other')
  await using other = await startServerProcess({ dataDir, env: { BOT_CHECK: 'off', DNS_SERVERS: 'off' } })
  const ports = { HTTP_PORT: String(other.httpPort), SMTP_PORT: String(other.smtpPort), HOST: '127.0.0.1', DNS_SERVERS: 'off' }
  const { out } = await mayfly(['doctor'], { ...ports, DATA_DIR: join(site.folder, 'nowhere') })
  expect(out).toMatch(
    /^FIX {2}SMTP_PORT \d+ is taken by another Mayfly \(process \d+\)\. Use that server, with its own settings, or choose/m,
  )
})

test('doctor says of a port that only the unit may open whether it is free', async () => {
  const folder = newFolder()
  const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
  const env = { DATA_DIR: folder, SMTP_PORT: '1', HTTP_PORT: '1023', HOST: '127.0.0.1', DNS_SERVERS: 'off' }
  const { out } = await mayfly(['doctor'], env, user)
  expect(out).toMatch(/SMTP_PORT 1(?:: the systemd unit can take it| is free)/)
  expect(out).not.toContain('EACCES')
})

describe('arguments', () => {
  const nameNeeded = (action: string) => `"token ${action}" needs a name of up to 60 letters, digits, dots, hyphens and underscores.`

  test.each<[words: string[], sentence: unknown]>([
    [[], 'Name a command.'],
    [['contcat', 'list'], 'There is no command "contcat".'],
    [['__proto__'], 'There is no command "__proto__".'],
    [['\u001b[31mred'], 'There is no command "\uFFFD[31mred".'],
    [['contact'], '"contact" needs to know what to do: list, read ID, delete ID, export.'],
    [['contact', 'remove', '1'], '"contact" cannot "remove": list, read ID, delete ID, export.'],
    [['account', 'suspend'], '"account suspend" needs EMAIL.'],
    [['notice', 'set', '--en', 'Back soon'], '"notice set" needs --en "TEXT" --es "TEXT".'],
    [['contact', 'delete'], '"contact delete" needs the number of a message, as "contact list" shows it.'],
    [['contact', 'delete', '1', '2'], '"2" is one argument too many.'],
    [['contact', 'read'], '"contact read" needs the number of a message, as "contact list" shows it.'],
    [['contact', 'read', '1; drop table'], '"contact read" needs the number of a message, as "contact list" shows it.'],
    [['contact', 'read', '-1'], '"contact read" has no option "-1".'],
    [['contact', 'read', '1', '2'], '"2" is one argument too many.'],
    [['contact', 'export', 'file.csv'], '"file.csv" is one argument too many.'],
    [['operator-mail'], '"operator-mail" needs to know what to do: list, read ID.'],
    [['operator-mail', 'export'], '"operator-mail" cannot "export": list, read ID.'],
    [['operator-mail', 'read', 'x'], '"operator-mail read" needs the number of a message, as "operator-mail list" shows it.'],
    [['stats', '--verbose'], '"stats" has no option "--verbose".'],
    [['check-config', '--all'], '"check-config" has no option "--all".'],
    [['restore', '-f'], '"restore" has no option "-f".'],
    [['upgrade', '--force'], '"upgrade" has no option "--force".'],
    [['domain', 'add', 'mayfly.test', '--offer', '-d'], '"domain add" has no option "-d".'],
    [['domain', 'add', 'mayfly.test', '--first'], '"domain add" has no option "--first".'],
    [
      ['domain', 'move'],
      '"domain" cannot "move": list, add DOMAIN [--offer], offer DOMAIN [--first], pause DOMAIN, retire DOMAIN [--at TIME], remove DOMAIN [--now].',
    ],
    [['difficulty', 'set', '17'], '"difficulty set" needs 1-16.'],
    [['domain', 'retire', 'mayfly.test', '--at', '99999-01-01'], '--at takes a time such as 2027-01-31T12:00Z.'],
    [['token', 'create'], nameNeeded('create')],
    [['doctor', 'please'], '"please" is one argument too many.'],
    [['backup'], '"backup" needs the folder to write to.'],
    [['backup', ''], '"backup" needs the folder to write to.'],
    [['backup', 'a', 'b'], '"b" is one argument too many.'],
    [['backup', 'a', '--keep'], expect.stringContaining('--keep')],
    [['backup', 'a', '--kepe', '7'], '"backup" has no option "--kepe".'],
    [['restore'], '"restore" needs the folder of the backup.'],
    [['restore', ''], '"restore" needs the folder of the backup.'],
    [['read'], '"read" needs a mail file, such as mail.eml.'],
    [['read', 'one.eml', 'other.eml'], '"other.eml" is one argument too many.'],
    [['difficulty', 'set', '0'], '"difficulty set" needs 1-16.'],
    [['difficulty', 'set', '1.5'], '"difficulty set" needs 1-16.'],
    [['token'], expect.stringContaining('"token" needs to know what to do')],
    [['token', 'old', 'ci'], expect.stringContaining('"token" cannot "old"')],
    [['token', 'list', 'more'], '"more" is one argument too many.'],
    [['token', 'new', 'ci', 'more'], '"more" is one argument too many.'],
    [['token', 'new'], nameNeeded('new')],
    [['token', 'new', 'a b'], expect.stringMatching(/^"a b" cannot be the name of a token/)],
    [['token', 'new', 'ci:x'], expect.stringMatching(/^"ci:x" cannot be the name of a token/)],
    [['token', 'revoke'], nameNeeded('revoke')],
    [['notice', 'set', '--en', 'Back soon', '--es', 'Ya', '--xx', 'x'], '"notice set" has no option "--xx".'],
    [['notice', 'set', ...LANGUAGES.map(() => 'Back soon')], '"Back soon" is one argument too many.'],
  ])('%j is refused, and nothing is opened', async (args, sentence) => {
    await expect(parse(...args)).rejects.toMatchObject({ exitCode: EXIT.usage, message: sentence })
  })

  test('the command prints what is wrong and where the help is, and exits with 2', async () => {
    const err = 'There is no command "contcat".\nSee: npm run mayfly -- help\n'
    expect(await mayfly(['contcat', '--help'])).toEqual({ code: 2, out: '', err })
  })

  test('help lists every command, and --help and -h anywhere those of the command alone', async () => {
    for (const word of ['help', '--help'])
      for (const line of ['contact read ID', 'contact export', 'operator-mail list', 'stats', 'doctor'])
        expect(await parse(word)).toContain(`  ${line} `)
    for (const [command, flag, line] of [
      ['check-config', '--help', '  check-config FILE '],
      ['restore', '-h', '  restore FOLDER '],
      ['upgrade', '--help', '  upgrade [SOURCE] '],
      ['setup', '--help', '  setup '],
      ['doctor', '-h', '  doctor '],
    ] as const) {
      const printed = await parse(command, flag)
      expect(printed.startsWith(line), command).toBe(true)
      expect(printed).not.toContain('  help ')
    }
    expect((await parse('account', 'suspend', '--help')).match(/^ {2}account (?:list|show|suspend|destroy) /gm)).toHaveLength(4)
    expect(await parse('domain', 'retire', '--help')).toMatch(/^ {4}--at TIME +later/m)
  })
})

test('an output that is closed is no error, and one that cannot be written is told', async () => {
  const command = `"${process.execPath}" "${join(import.meta.dirname, 'mayfly.ts')}"`
  const env = { ...COMPILED_CODE, PATH: process.env.PATH, DATA_DIR: site.folder }
  const shell = (line: string) => promisify(execFile)('sh', ['-c', line], { env })
  for (const args of ['help', 'stats', 'dns --ip 203.0.113.5', 'doctor']) {
    const closed = await shell(`({ ${command} ${args}; echo $? >&3; } | head -c 0) 3>&1`)
    expect(closed, args).toEqual({ stdout: args === 'doctor' ? '1\n' : '0\n', stderr: '' })
    const full = await shell(`${command} ${args} > /dev/full; echo $?`)
    expect(full, args).toEqual({ stdout: '1\n', stderr: expect.stringMatching(/^The output cannot be written: ENOSPC: .*\n$/) })
  }
})

test('help names the command as it is called in a checkout, and Tab knows its words', async () => {
  const script = (await mayfly(['completion', 'bash'])).out
  const asked = `${script}\nCOMP_WORDS=(mayfly account s); COMP_CWORD=2; _mayfly; echo "\${COMPREPLY[@]}"`
  expect(execFileSync('bash', ['-c', asked], { encoding: 'utf8' })).toBe('show suspend\n')
  await expect(parse('completion', 'tcsh')).rejects.toMatchObject({ exitCode: EXIT.usage })
  expect((await mayfly(['help'])).out).toMatch(/^npm run mayfly -- COMMAND\n/)
  expect((await mayfly(['--version'])).out).toBe(`${version}\n`)
})

describe('data folder and database', () => {
  test('a folder that does not exist, or is not the server’s, is reported and not created', async () => {
    const nowhere = join(site.folder, 'nowhere')
    const missing = await mayfly(['contact', 'list'], { DATA_DIR: nowhere })
    expect([missing.code, missing.out]).toEqual([1, ''])
    expect(missing.err).toBe(
      `The data folder ${nowhere} has no site.db and no secret. Set DATA_DIR to the server's folder and run this as the server's user, or start the server once.\n`,
    )
    expect(existsSync(nowhere)).toBe(false)
    const empty = newFolder()
    expect((await mayfly(['stats'], { DATA_DIR: empty, SECRET: 'x'.repeat(32) })).err).toContain('has no site.db.')
    expect(existsSync(join(empty, 'site.db'))).toBe(false)
  })

  test('a file that is not a database, and a database that does not exist, are reported', async () => {
    const folder = join(site.folder, 'damaged')
    await mkdir(folder)
    await writeFile(join(folder, 'site.db'), 'this is not a database, it is a text that is long enough to be read as a page')
    await writeFile(join(folder, 'secret'), 'x'.repeat(64))
    const damaged = await mayfly(['stats'], { DATA_DIR: folder })
    expect([damaged.code, damaged.out]).toEqual([1, ''])
    expect(damaged.err).toMatch(/^.*site\.db cannot be used: file is not a database\. Restore it from a backup, or .*\n$/)
    const away = await mayfly(['stats'], { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/none' })
    expect(away.code).toBe(1)
    expect(away.err).toMatch(/^The database .* does not take connections\. Start PostgreSQL, or correct DATABASE_URL\.\n$/)
    expect(away.err).not.toContain('hidden')
  })

  test('every wrong setting is reported', async () => {
    const { code, out, err } = await mayfly(['stats'], { SMTP_PORT: 'x', SECRET: 'short' })
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/SMTP_PORT must be a whole number[\s\S]*SECRET must have at least 32 characters/)
  })

  test('commands work while the server writes, and after it has stopped', async () => {
    const [, ...commands] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, (_, i) => write({ subject: `Beside a command ${i}` }))),
      ...Array.from({ length: 4 }, () => mayfly(['contact', 'read', '1'])),
      mayfly(['contact', 'export']),
    ])
    for (const { code, err } of commands) expect([code, err]).toEqual([0, ''])
    expect((await mayfly(['contact', 'export'])).out.match(/Beside a command/g)).toHaveLength(30)
    await site.app[Symbol.asyncDispose]()
    expect((await mayfly(['contact', 'list'])).out.match(/Beside a command/g)).toHaveLength(30)
  })
})
