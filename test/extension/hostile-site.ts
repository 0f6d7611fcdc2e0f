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

export async function startHostileSite(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
