/** A browser without a page: sends its cookies and stores those of `Set-Cookie`. */
import { routes } from '#contract/routes.ts'

export const PASSWORD = 'correct horse'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The `code` of a problem document; `undefined` for a success. */
  readonly code: string | undefined
}
type Sent = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

export type Visitor = {
  readonly cookies: Map<string, string>
  /** `body` is sent as JSON, or unchanged if it is a string. */
  ask(method: string, path: string, sent?: Sent): Promise<Answer>
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  signIn(email: string, password?: string): Promise<Answer>
  /** The session as `GET /api/auth/session` returns it. */
  session(): Promise<{ email: string; expiresAt: string } | null>
}

export function createVisitor(origin: string, own: Readonly<Record<string, string>> = {}): Visitor {
  const cookies = new Map<string, string>()
  const visitor: Visitor = {
    cookies,
    async ask(method, path, { body, headers } = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(`${origin}${path}`, {
        method,
        redirect: 'manual',
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(cookie && { cookie }), ...own, ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) takeOver(cookies, line)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, code: /"code":"(\w+)"/.exec(text)?.[1] }
    },
    post: (path, body, headers) => visitor.ask('POST', path, { body, ...(headers && { headers }) }),
    signIn: (email, password = PASSWORD) => visitor.post(routes.authSignIn, { email, password }),
    async session() {
      return JSON.parse((await visitor.ask('GET', routes.authSession)).text).session
    },
  }
  return visitor
}

function takeOver(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
  const at = pair.indexOf('=')
  if (attributes.some(attribute => /^max-age=0$/i.test(attribute))) cookies.delete(pair.slice(0, at))
  else cookies.set(pair.slice(0, at), pair.slice(at + 1))
}
