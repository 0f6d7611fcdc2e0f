// The same with openapi-fetch and the types of openapi-typescript. Its arguments are the API token and the URL.
import createClient from 'openapi-fetch'
import type { paths } from './paths.d.ts'

const [token, baseUrl = ''] = process.argv.slice(2)
const as = (bearer: string | undefined) => createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${bearer}` } })
const { data: made } = await as(token).POST('/api/mailboxes', { body: {} })
console.log(made?.email)
const mailbox = as(made?.token)
const { data: message } = await mailbox.GET('/api/mailbox/wait', { params: { query: { timeoutSeconds: 30 } } })
const path = { id: message?.id ?? '' }
const { data: raw } = await mailbox.GET('/api/mailbox/messages/{id}/raw', { params: { path }, parseAs: 'text' })
console.log(JSON.stringify({ code: message?.codes[0], raw: raw?.includes('Subject:') }))
