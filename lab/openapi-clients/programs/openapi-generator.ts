// The same with openapi-generator's typescript-fetch. Its arguments are the API token and the URL.
import { Configuration, MailboxesApi, MessagesApi } from './generated/index.ts'

const [token = '', basePath = ''] = process.argv.slice(2)
const made = await new MailboxesApi(new Configuration({ basePath, accessToken: token })).createMailbox({ createMailbox: {} })
console.log(made.email)
const messages = new MessagesApi(new Configuration({ basePath, accessToken: made.token }))
const message = await messages.waitForMessage({ timeoutSeconds: 30 })
const raw: Blob = await messages.readRawMessage({ id: message?.id ?? '' })
console.log(JSON.stringify({ code: message?.codes[0], raw: (await raw.text()).includes('Subject:') }))
