/**
 * A small application with a sign-up that mails a code: what Mayfly helps to test. `SMTP_URL=smtp://localhost:2525 PORT=3000 node
 * examples/sign-up/server.ts`
 */
import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'

export type SignUpApp = AsyncDisposable & { readonly url: string }

export async function startSignUpApp({ smtpUrl, port = 0 }: { smtpUrl: string; port?: number }): Promise<SignUpApp> {
  const codes = new Map<string, string>()
  // The certificate of a mail server on this machine is its own.
  const mailer = createTransport({ url: smtpUrl, tls: { rejectUnauthorized: false } })

  const signUp = async (email: string) => {
    const code = randomInt(100_000, 1_000_000).toString()
    codes.set(email, code)
    const subject = 'Your Garden Club code'
    await mailer.sendMail({
      from: 'The Garden Club <hello@garden-club.example>',
      to: email,
      subject,
      text: `Your confirmation code is ${code}.`,
    })
    return page(`<form method="post" action="/confirm"><input type="hidden" name="email" value="${escapeHtml(email)}">
<label>Code <input name="code"></label> <button>Confirm</button></form>`)
  }
  const confirm = (email: string, code: string) => {
    const isRight = codes.get(email) === code && code !== ''
    if (isRight) codes.delete(email)
    return page(isRight ? `<p>Welcome, ${escapeHtml(email)}!</p>` : '<p role="alert">This code is wrong.</p>')
  }
  const answer = async (request: IncomingMessage) => {
    if (request.method !== 'POST')
      return page('<form method="post" action="/sign-up"><label>E-mail <input name="email"></label> <button>Sign up</button></form>')
    const form = new URLSearchParams(await text(request))
    const email = form.get('email') ?? ''
    return request.url === '/confirm' ? confirm(email, form.get('code') ?? '') : signUp(email)
  }

  const server = createServer((request, response) => {
    answer(request)
      .then(html => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html))
      .catch((error: Error) => response.writeHead(502).end(`The mail could not be sent: ${error.message}`))
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      mailer.close()
    },
  }
}

const page = (body: string) => `<!doctype html><html lang="en"><title>Garden Club</title><h1>Garden Club</h1>${body}</html>`
const escapeHtml = (value: string) => value.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

if (import.meta.main) {
  const { url } = await startSignUpApp({ smtpUrl: process.env.SMTP_URL ?? 'smtp://localhost:2525', port: Number(process.env.PORT || 3000) })
  console.log(`Sign up at ${url}`)
}
