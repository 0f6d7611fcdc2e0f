/**
 * The script of the API reference (server/http/openapi/docs-page.ts), which is read without it: copying, one language for all samples,
 * filtering, and trying an operation at this server. Keys and tokens are only in the fields of the page.
 */
import { routes } from '#contract/routes.ts'
import type { Challenge } from '#contract/site.ts'
import { solveProofOfWork } from '../bot-check/proof-of-work.ts'
import { COPIED_MS } from '../browser/clipboard.ts'

type Words = Readonly<
  Record<'copied' | 'sending' | 'solving' | 'failed' | 'sure' | 'useToken' | 'useKey' | 'used' | 'bytes' | 'fold' | 'notJson', string>
>

/** The server wrote them into the page. */
const words: Words = JSON.parse(document.body.dataset.words ?? '{}')
const all = <Found extends Element>(selector: string, within: ParentNode = document) => [...within.querySelectorAll<Found>(selector)]

/** What is longer is cut: a browser takes seconds to lay out a raw mail of many megabytes. */
const SHOWN_CHARS_MAX = 100_000

function enableCopying(): void {
  for (const button of all<HTMLButtonElement>('[data-copy]')) {
    const [icon, label] = [button.querySelector('use'), button.querySelector('span')]
    const verb = label?.textContent ?? ''
    const show = (name: 'copy' | 'check', text: string) => {
      icon?.setAttribute('href', `#icon-${name}`)
      label?.replaceChildren(text)
    }
    button.hidden = !navigator.clipboard
    button.addEventListener('click', async () => {
      const code = button.previousElementSibling?.textContent ?? ''
      // A browser may refuse it; the text can still be selected.
      const isCopied = await navigator.clipboard.writeText(code).then(
        () => true,
        () => false,
      )
      if (!isCopied) return
      show('check', words.copied)
      setTimeout(() => show('copy', verb), COPIED_MS)
    })
  }
}

/** Who chose Python once reads Python everywhere, and stays at the same place of the page. */
function shareSampleLanguage(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.samples')) return
    const before = target.getBoundingClientRect().top
    for (const input of all<HTMLInputElement>(`.samples input[value="${target.value}"]`)) input.checked = true
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
  })
}

function enableFilter(): void {
  const [label, none] = [document.querySelector<HTMLElement>('.filter'), document.querySelector<HTMLElement>('#operations .none')]
  const field = label?.querySelector('input')
  if (!label || !none || !field) return
  label.hidden = false
  field.addEventListener('input', () => {
    const wanted = field.value.trim().toLowerCase()
    const links = all<HTMLAnchorElement>('#operations li a')
    for (const link of links) link.parentElement?.toggleAttribute('hidden', !link.dataset.find?.includes(wanted))
    for (const list of all('#operations ul')) {
      const isEmpty = !list.querySelector('li:not([hidden])')
      list.toggleAttribute('hidden', isEmpty)
      list.previousElementSibling?.toggleAttribute('hidden', isEmpty)
    }
    none.hidden = links.some(link => !link.parentElement?.hidden)
  })
}

/** Marks what is being read, and keeps it in sight: on a phone the list is a row of its groups. */
function followReading(): void {
  const links = all<HTMLAnchorElement>('#operations a')
  const places = links.map(({ hash }) => document.getElementById(`operation-${hash.slice(1)}`) ?? document.getElementById(hash.slice(1)))
  let before: number | undefined
  const follow = () => {
    const readAt = Math.max(innerHeight * READ_AT, READ_AT_PX)
    const at = places.findLastIndex(place => (place?.getBoundingClientRect().top ?? 0) <= readAt)
    if (at === before) return
    before = at
    const group = links[at]?.closest('ul')?.previousElementSibling?.querySelector('a')
    for (const link of links) link.removeAttribute('aria-current')
    for (const link of [links[at], group]) link?.setAttribute('aria-current', 'location')
    showInList(links[at]?.offsetParent ? links[at] : (group ?? links[0]))
  }
  // Once a frame at most. An observer of the places hears nothing when the page jumps from beyond the last to before the first.
  addEventListener('scroll', follow, { passive: true })
  addEventListener('resize', follow)
  document.addEventListener('toggle', follow, true)
  follow()
}

/** The part of the screen above which something has been reached, and on a low screen where a link scrolls to. */
const READ_AT = 0.12
const READ_AT_PX = 100

/** Scrolls the list only: `scrollIntoView` would scroll the page as well. */
function showInList(link: HTMLElement | undefined): void {
  const list = document.querySelector('#operations')
  if (!list || !link) return
  const [inner, outer] = [link.getBoundingClientRect(), list.getBoundingClientRect()]
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 3
  list.scrollLeft += inner.left - outer.left - outer.width / 3
}

/** Browsers unfold what a link leads to; older ones do not. */
function enableUnfolding(): void {
  const reveal = () => document.getElementById(location.hash.slice(1))?.closest('details')?.setAttribute('open', '')
  addEventListener('hashchange', reveal)
  reveal()
  const button = document.querySelector<HTMLButtonElement>('[data-unfold]')
  if (!button) return
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', () => {
    const isOpening = button.textContent === label
    for (const part of all<HTMLDetailsElement>('.folded > details')) part.open = isOpening
    button.textContent = isOpening ? words.fold : label
  })
}

function keepPlaceInLanguage(): void {
  for (const link of all<HTMLAnchorElement>('[data-language]')) {
    link.addEventListener('click', () => {
      link.hash = location.hash
    })
  }
}

function enableTrying(): void {
  for (const part of all<HTMLDetailsElement>('.try')) {
    const form = part.querySelector('form')
    if (!form) continue
    part.hidden = false
    form.addEventListener('submit', event => {
      event.preventDefault()
      void submit(part, form)
    })
  }
  document.addEventListener('input', ({ target }) => {
    disarmAll()
    if (target instanceof HTMLInputElement && target.dataset.credential) fillCredential(target.dataset.credential, target.value)
  })
}

/** One credential serves every operation. */
function fillCredential(kind: string, value: string): void {
  disarmAll()
  for (const input of all<HTMLInputElement>(`[data-credential="${kind}"]`)) input.value = value
}

async function submit(part: HTMLElement, form: HTMLFormElement): Promise<void> {
  const [button, stop] = all<HTMLButtonElement>('.actions button', form)
  if (!button || !stop || button.disabled) return
  const body = form.querySelector('textarea')?.value
  if (body !== undefined && parseJson(body) === undefined) return report(part, words.notJson, 'bad')
  if (!isConfirmed(form, button)) return
  const stopped = new AbortController()
  const end = () => stopped.abort()
  button.disabled = true
  stop.hidden = false
  stop.addEventListener('click', end)
  try {
    await send(part, form, stopped.signal)
  } catch {
    if (!stopped.signal.aborted) report(part, words.failed, 'bad')
  } finally {
    button.disabled = false
    stop.hidden = true
    stop.removeEventListener('click', end)
  }
}

/** `undefined` if the text is no JSON, as the answer of a proxy may be. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What destroys asks once more, in place. */
function isConfirmed({ dataset }: HTMLFormElement, button: HTMLButtonElement): boolean {
  if (dataset.dangerous === undefined) return true
  if (button.dataset.sure !== undefined) {
    disarm(button)
    return true
  }
  button.dataset.sure = button.textContent ?? ''
  button.textContent = words.sure
  return false
}

/** What somebody was asked about was what the fields said then. */
function disarmAll(): void {
  for (const button of all<HTMLButtonElement>('[data-sure]')) disarm(button)
}

function disarm(button: HTMLButtonElement): void {
  button.textContent = button.dataset.sure ?? ''
  delete button.dataset.sure
}

async function send(part: HTMLElement, form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const result = part.querySelector<HTMLElement>('.result')
  const output = result?.querySelector('code')
  if (!result || !output) return
  result.hidden = true
  output.textContent = ''
  report(part, words.sending)
  const { url, options } = await readForm(part, form, signal)
  const startedMs = performance.now()
  report(part, words.sending)
  const response = await fetch(url, { ...options, signal })
  const status = `${response.status} ${response.statusText} · ${Math.round(performance.now() - startedMs)} ms`
  const type = response.headers.get('content-type') ?? ''
  const isStream = type.startsWith('text/event-stream')
  const tone = response.ok ? 'good' : 'bad'
  // Whoever hears the status finds the response.
  if (isStream) report(part, status, tone)
  result.hidden = response.status === 204
  if (isStream) return showEvents(response, output)
  const text = type.includes('json') || type.startsWith('message/') || type.startsWith('text/') ? await response.text() : undefined
  const bytes = text === undefined ? (await response.arrayBuffer()).byteLength : 0
  const json = text !== undefined && type.includes('json') ? parseJson(text) : undefined
  const shown = text === undefined ? `${type}, ${bytes} ${words.bytes}` : json === undefined ? text : JSON.stringify(json, null, 2)
  output.textContent = shown.slice(0, SHOWN_CHARS_MAX)
  report(part, status, tone)
  offerCredential(part, json)
}

type Ready = { readonly url: string; readonly options: RequestInit }

async function readForm(part: HTMLElement, form: HTMLFormElement, signal: AbortSignal): Promise<Ready> {
  const { method = 'GET', path = '', operation } = form.dataset
  const headers = new Headers()
  const query = new URLSearchParams()
  let filled = path
  for (const { name, value, dataset } of all<HTMLInputElement>('input', form)) {
    if (value === '') continue
    if (dataset.in === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value))
    if (dataset.in === 'query') query.set(name, value)
    if (dataset.in === 'header') headers.set(name, value)
    if (dataset.credential) headers.set('authorization', `Bearer ${value.trim()}`)
  }
  let body = form.querySelector('textarea')?.value
  // The site does the same for a visitor: without a key an address costs a proof of work.
  if (operation === 'createMailbox' && body !== undefined && !headers.has('authorization')) body = await withBotCheck(part, body, signal)
  if (body !== undefined) headers.set('content-type', 'application/json')
  const search = query.size > 0 ? `?${query}` : ''
  return { url: `${filled}${search}`, options: { method, headers, ...(body !== undefined && { body }) } }
}

/** Only browsers on a secure origin can solve it here; without a solution the server says what is missing. */
async function withBotCheck(part: HTMLElement, body: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${routes.botCheckChallenge}?action=generate_email`, { signal })
  if (!response.ok || !globalThis.crypto?.subtle) return body
  report(part, words.solving)
  const challenge: Promise<Challenge> = response.json()
  const botCheck = await solveProofOfWork(challenge, signal)
  // A visitor's address has the lifetime of all visitors.
  const { lifetimeSeconds: _, ...rest } = JSON.parse(body)
  return JSON.stringify({ ...rest, botCheck })
}

async function showEvents(response: Response, output: HTMLElement): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    output.textContent = `${output.textContent}${part.value}`.slice(-SHOWN_CHARS_MAX)
  }
}

function report(part: HTMLElement, text: string, tone?: 'good' | 'bad'): void {
  const outcome = part.querySelector<HTMLElement>('.outcome')
  if (!outcome) return
  outcome.textContent = text
  if (tone) outcome.dataset.tone = tone
  else delete outcome.dataset.tone
}

/** The token of a new mailbox, or a new API key, at one press in all other operations. */
function offerCredential(part: HTMLElement, json: unknown): void {
  if (typeof json !== 'object' || json === null) return
  const { token, key } = json as { token?: unknown; key?: unknown }
  if (typeof token === 'string') addOffer(part, words.useToken, 'mailboxToken', token)
  if (typeof key === 'string') addOffer(part, words.useKey, 'apiKey', key)
}

function addOffer(part: HTMLElement, label: string, kind: string, value: string): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = label
  button.addEventListener('click', () => {
    fillCredential(kind, value)
    button.textContent = words.used
  })
  part.querySelector('.outcome')?.append(button)
}

enableCopying()
shareSampleLanguage()
enableFilter()
followReading()
enableUnfolding()
keepPlaceInLanguage()
enableTrying()
