/** The same as an agent does it: over MCP, with the official SDK's client. */
import type { Client } from '@modelcontextprotocol/client'

/** `client` is connected to `mayfly-client mcp`. Resolves to the application's last page. */
export async function signUpAsAgent(client: Client, app: string): Promise<string> {
  const call = async (name: string, input: Record<string, unknown>) => {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: input })
    if (isError) throw new Error(JSON.stringify(content))
    return structuredContent as Record<string, string>
  }
  const post = async (path: string, form: Record<string, string>) =>
    (await fetch(`${app}${path}`, { method: 'POST', body: new URLSearchParams(form) })).text()

  const { address: email = '' } = await call('create_inbox', {})
  await post('/sign-up', { email })
  const { code = '' } = await call('wait_for_code', { inbox: email, from: 'garden-club.example' })
  const page = await post('/confirm', { email, code })
  await call('delete_inbox', { inbox: email })
  return page
}
