// Signs up with the SDK of TypeScript as it was before revision 2026-07-28. Its arguments are the URL and the token.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const [url, token] = process.argv.slice(2)
const client = new Client({ name: 'agent', version: '1' })
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } })
await client.connect(transport)
const call = (name, input) => client.callTool({ name, arguments: input })
const { tools } = await client.listTools()
const { inbox, address } = (await call('create_inbox', {})).structuredContent
console.log(address)
const { code } = (await call('wait_for_code', { inbox, timeout_seconds: 30 })).structuredContent
const wrong = (await call('wait_for_code', { inbox, timeout_seconds: 100_000 })).isError
await call('delete_inbox', { inbox })
const gone = (await call('list_messages', { inbox })).isError
console.log(JSON.stringify({ tools: tools.length, code, wrong, gone, revision: transport.protocolVersion }))
await client.close()
