// Writes the mail with each library of npm. Its argument is the folder to write to.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)
const read = name => readFileSync(name, 'utf8')
const pdf = 'Preisliste für Ana.pdf'
const versionOf = name => JSON.parse(read(`node_modules/${name}/package.json`)).version
const write = (name, bytes) => writeFileSync(join(process.argv[2], `${name}-${versionOf(name)}.eml`), bytes)

const MailComposer = require('nodemailer/lib/mail-composer')
const composed = new MailComposer({
  from: { name: read('from-name'), address: 'ana@shop.example' },
  to: 'name@mayfly.test',
  subject: read('subject'),
  text: read('text'),
  html: read('html'),
  icalEvent: { method: 'REQUEST', content: read('invite.ics') },
  attachments: [{ path: 'logo.png', cid: 'logo@shop.example' }, { path: pdf }],
})
write('nodemailer', await composed.compile().build())

const { Message } = await import('emailjs')
const message = new Message({
  from: `${read('from-name')} <ana@shop.example>`,
  to: 'name@mayfly.test',
  subject: read('subject'),
  text: read('text'),
  attachment: [
    {
      data: read('html'),
      alternative: true,
      related: [{ path: 'logo.png', type: 'image/png', name: 'logo.png', headers: { 'Content-ID': '<logo@shop.example>' } }],
    },
    { path: pdf, type: 'application/pdf', name: pdf },
  ],
})
write('emailjs', await message.readAsync())
