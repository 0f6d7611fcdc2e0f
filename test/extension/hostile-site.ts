/** A site that wants the code of another: fields that ask for it and that nobody sees, and names that shadow the document's own. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const FIELDS = {
  outside: 'position: fixed; left: -900px; top: 0',
  transparent: 'opacity: 0.01',
  covered: 'position: fixed; left: 0; top: 300px',
  tiny: 'width: 1px; height: 1px; padding: 0; border: 0',
  seen: '',
}
const PAGE = `<!doctype html><meta charset="utf-8"><title>Win a prize</title>
<form name="activeElement" id="trap" contenteditable><input name="shadowRoot" type="hidden"></form>
<img name="querySelectorAll" alt="">
${Object.entries(FIELDS)
  .map(([id, style]) => `<p><input id="${id}" autocomplete="one-time-code" style="${style}">`)
  .join('')}
<div style="position: fixed; left: 0; top: 280px; width: 400px; height: 80px; background: white">Press the icon of your extension!</div>
<script>var focusAtMenu = ''; addEventListener('contextmenu', () => document.getElementById(focusAtMenu)?.focus())</script>`

/** The extension knows a Mayfly by it. */
const POSING = `<!doctype html><html data-config='{"botCheck":{"provider":"off"}}'><title>A shop</title><link rel="icon" href="data:,">`

type HostileSite = AsyncDisposable & {
  readonly url: string
  /** A page that poses as a Mayfly. */
  readonly posingUrl: string
  /** The paths of all requests. */
  readonly asked: readonly string[]
}

export async function startHostileSite(): Promise<HostileSite> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(200, { 'content-type': 'text/html' }).end(url === '/posing' ? POSING : PAGE)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}/`,
    posingUrl: `http://127.0.0.1:${port}/posing`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
