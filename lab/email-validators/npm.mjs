/** Prints one line of JSON for each validator of npm: whether it takes each of the addresses that are its arguments. */
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [folder, ...addresses] = process.argv.slice(2)
const load = createRequire(join(folder, 'package.json'))
const versionOf = name => load(join(folder, 'node_modules', name, 'package.json')).version

async function print(kind, name, title, accepts) {
  const accepted = []
  for (const address of addresses) accepted.push(Boolean(await accepts(address)))
  console.log(JSON.stringify({ kind, title, version: versionOf(name), accepted }))
}

const validator = load('validator')
await print('syntax', 'validator', 'validator.js `isEmail`', address => validator.isEmail(address))
const { isEmail } = load('class-validator')
await print('syntax', 'class-validator', 'class-validator `@IsEmail`', isEmail)
const { z } = load('zod')
await print('syntax', 'zod', 'zod `z.email()`', address => z.email().safeParse(address).success)
const yup = load('yup')
await print('syntax', 'yup', 'yup `string().email()`', address => yup.string().email().isValidSync(address))
const valibot = load('valibot')
const schema = valibot.pipe(valibot.string(), valibot.email())
await print('syntax', 'valibot', 'valibot `email()`', address => valibot.safeParse(schema, address).success)
await print('syntax', 'email-validator', 'email-validator', load('email-validator').validate)
await print('syntax', 'isemail', 'isemail', address => load('isemail').validate(address))
const Ajv = load('ajv').default
const ajv = new Ajv()
load('ajv-formats').default(ajv)
const format = ajv.compile({ type: 'string', format: 'email' })
await print('syntax', 'ajv-formats', 'ajv `format: email`', format)
const joi = load('joi')
await print('list of TLDs', 'joi', 'joi `string().email()`', address => !joi.string().email().validate(address).error)
const linkify = load('linkifyjs')
await print('list of TLDs', 'linkifyjs', 'linkifyjs makes a link', address => linkify.find(address)[0]?.value === address)
const Autolinker = load('autolinker').default
await print('list of TLDs', 'autolinker', 'autolinker makes a link', address => Autolinker.link(address).includes(`mailto:${address}`))
const { LinkifyIt } = load('linkify-it')
await print('syntax', 'linkify-it', 'linkify-it makes a link', address => new LinkifyIt().match(address)?.[0]?.text === address)
const { isDisposableEmail } = load('disposable-email-domains-js')
await print('list of senders', 'disposable-email-domains-js', 'not a disposable domain', address => !isDisposableEmail(address))
const { validate } = load('deep-email-validator')
await print('DNS', 'deep-email-validator', 'deep-email-validator without SMTP', async email => {
  const { valid } = await validate({ email, validateSMTP: false, validateTypo: true })
  return valid
})
