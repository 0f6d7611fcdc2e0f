// Creates an address, waits and reads with orval's clients: requests by fetch, checked by zod. Its argument is the API token.
import { createMailbox, readRawMessage, waitForMessage } from './fetch.ts'
import { WaitForMessageResponse } from './zod.ts'

const as = (token: string | undefined) => ({ headers: { authorization: `Bearer ${token}` } })
const made = await createMailbox({}, as(process.argv[2]))
if (made.status !== 201) throw new Error(JSON.stringify(made.data))
const mailbox = as(made.data.token)
console.log(made.data.email)
const message = WaitForMessageResponse.parse((await waitForMessage({ timeoutSeconds: 30 }, mailbox)).data)
const { data } = await readRawMessage(message.id, mailbox)
console.log(JSON.stringify({ code: message.codes[0], raw: data instanceof Blob && (await data.text()).includes('Subject:') }))
