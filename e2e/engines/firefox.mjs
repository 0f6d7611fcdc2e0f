#!/usr/bin/env node
// Starts Debian's Firefox (FIREFOX_PATH) for Playwright, which speaks WebDriver BiDi with it. Playwright sends one command to each new
// context that Firefox ESR 153 does not know, and takes the refusal as the end of the context. It is answered here. And it fills a field by
// the property that React watches, so that React sees no change: here the text is typed by the browser. Everything else passes.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'

const UNKNOWN_COMMANDS = ['emulation.setMediaFeaturesOverride']
const INSERT_TEXT = 'function bidiInsertText(window, text) {'
const INSERT_AS_TYPED = `${INSERT_TEXT} if (window.document.execCommand('insertText', false, text)) return;`

const firefox = spawn(process.env.FIREFOX_PATH ?? 'firefox-esr', process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] })
firefox.on('exit', code => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => firefox.kill(signal))

createInterface({ input: firefox.stderr }).on('line', line => {
  const [, url] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
  if (url === undefined) return console.error(line)
  const relay = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/session', maxPayload: 0, perMessageDeflate: false })
  relay.on('connection', socket => connect(socket, `${url}/session`))
  relay.on('listening', () => console.error(`WebDriver BiDi listening on ws://127.0.0.1:${relay.address().port}`))
})

function connect(playwright, url) {
  const browser = new WebSocket(url, { maxPayload: 0, perMessageDeflate: false })
  const early = []
  playwright.on('message', data => {
    const text = data.toString().replace(INSERT_TEXT, INSERT_AS_TYPED)
    const { id, method } = JSON.parse(text)
    if (UNKNOWN_COMMANDS.includes(method)) playwright.send(JSON.stringify({ type: 'success', id, result: {} }))
    else if (browser.readyState === WebSocket.OPEN) browser.send(text)
    else early.push(text)
  })
  browser.on('open', () => {
    for (const text of early) browser.send(text)
  })
  browser.on('message', data => playwright.send(data.toString()))
  browser.on('close', () => playwright.close())
  playwright.on('close', () => browser.close())
  browser.on('error', () => playwright.close())
}
