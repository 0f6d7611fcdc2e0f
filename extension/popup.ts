/** The popup. Opening it is the press on the icon: it has the background page act, says what happened, and shows what the icon cannot. */
import './popup.css'
import { WARNING_SECONDS } from '#contract/limits.ts'
import { COPIED_MS } from '#web/lib/browser/clipboard.ts'
import { clockTime, formatCountdown, leadingZeros } from '#web/lib/mailbox/countdown.ts'
import { groupCode } from '#web/lib/mailbox/group-code.ts'
import { nameParts } from '#web/lib/name-parts.ts'
import { type ExtensionState, type KeptAddress, type Mail, readSite, readState } from './addresses.ts'
import { browser, hostPattern, type Tab } from './browser.ts'
import { ask, failureText, type Outcome } from './messages.ts'

const text = (name: string, ...values: string[]) => browser.i18n.getMessage(name, values)
const view = document.querySelector('main') as HTMLElement
const status = document.querySelector('#status') as HTMLElement
const mark = document.querySelector('svg') as Element
/** The language that the texts are in, which need not be that of the browser. */
const language = text('language')
document.documentElement.lang = language

type Child = Node | string | false | undefined
type Attributes = Readonly<Record<string, string | boolean | undefined>>

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Attributes = {}, ...children: Child[]) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== false) made.setAttribute(key, String(value))
  made.append(...children.filter(child => child !== undefined && child !== false))
  return made
}

function button(label: Child, onClick: (pressed: HTMLButtonElement) => unknown, attributes: Attributes = {}) {
  const made = element('button', { type: 'button', ...attributes }, label)
  made.addEventListener('click', () => void onClick(made))
  return made
}

/** For two seconds its icon and label, if it has one, say that it has copied. `shown`: what is copied, before the label. */
function copyButton(words: string, label: string, attributes: Attributes, shown?: Child, onCopied?: () => unknown) {
  const made = button(
    shown,
    async () => {
      if (!(await copy(words))) return say(text('copyRefused'), 'bad')
      content.replaceChildren(icon('check'), label && text('copied'))
      setTimeout(drawLabel, COPIED_MS)
      await onCopied?.()
    },
    attributes,
  )
  const content = element('span')
  const drawLabel = () => content.replaceChildren(icon('copy'), label)
  drawLabel()
  made.append(content)
  return made
}

/** One of those in popup.html. */
const icon = (name: 'copy' | 'check'): Node => (document.querySelector(`#${name}`) as Element).cloneNode(true)

/** A name in boxes that wrap as web/lib/name-parts.ts says. */
function unbroken(name: string): HTMLElement {
  const box = (...content: Child[]) => element('span', { class: 'part' }, ...content)
  return nameParts(name).reduceRight((rest, part) => box(box(part), rest), box())
}

/** A sentence that names hosts or addresses, word by word. */
const namesUnbroken = (sentence: string) => sentence.split(' ').flatMap((word, at) => [at > 0 && ' ', unbroken(word)])

let tab: Tab | undefined

function say(words: string, tone: 'good' | 'bad' | '' = ''): void {
  status.replaceChildren(...(words === '' ? [] : [element('span', {}, ...namesUnbroken(words))]))
  status.className = tone
}

/** Says what a press did. */
async function tell(outcome: Outcome): Promise<void> {
  const { did, host = '', code = '' } = outcome
  if (did === 'fail') say(failureText(outcome), 'bad')
  else if (did === 'put') say(text('didPut', host), 'good')
  else if (did === 'fill') say(text('didFill', groupCode(code), host), 'good')
  else if (did === 'copy') await copyWaiting(code)
  else say('')
}

async function copyWaiting(code: string): Promise<void> {
  if (await copy(code)) {
    say(text('didCopy', groupCode(code)), 'good')
    await ask({ kind: 'used' })
    return
  }
  // Firefox copies only for a press inside the popup.
  say(text('pressCopy', groupCode(code)))
  view.querySelector<HTMLButtonElement>('.code')?.focus()
}

async function copy(words: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(words)
    return true
  } catch {
    return false
  }
}

let shown: ExtensionState = { addresses: [] }

async function draw(): Promise<void> {
  const site = await readSite()
  shown = await readState()
  const [newest, ...others] = shown.addresses
  if (!site) return
  const mails = shown.addresses.flatMap(address => address.mails.map(mail => ({ mail, address })))
  mails.sort((a, b) => b.mail.receivedAt.localeCompare(a.mail.receivedAt))
  view.replaceChildren(
    newest ? card(newest) : noAddress(),
    newest ? element('section', { 'aria-label': text('mails') }, ...(mails.length > 0 ? mails.map(mailRow) : [waitingForMail()])) : '',
    ...(others.length > 0 ? [otherAddresses(others)] : []),
    footer(new URL(site.origin).host),
  )
  tick()
}

/** It breaks before its @ first. */
const addressParts = (email: string) => email.split(/(?=@)/).map(unbroken)

function card(address: KeptAddress): HTMLElement {
  const { email, token } = address
  return element(
    'section',
    { class: 'card' },
    sky(
      element('span', { class: 'clock', role: 'timer', 'aria-label': text('timeLeft') }),
      element('span', { class: 'end' }, text('goneAt', timeOf(address.endsAtMs))),
    ),
    element('p', { class: 'address' }, ...addressParts(email)),
    copyButton(email, text('copyAddress'), { class: 'primary' }),
    element(
      'div',
      { class: 'row' },
      button(text('newAddress'), pressed => makeAddress(pressed)),
      button(text('openInbox'), () => ask({ kind: 'open', token })),
      button(text('deleteAddress'), pressed => destroyAddress(pressed, token), { class: 'danger' }),
    ),
  )
}

/** The evening of the site: the sun, and the mayfly before it. */
function sky(...clock: HTMLElement[]): HTMLElement {
  const fly = mark.cloneNode(true) as Element
  fly.lastElementChild?.remove()
  fly.classList.add('fly')
  return element('div', { class: 'sky' }, element('i', { class: 'sun' }), fly, ...clock, element('i', { class: 'horizon' }))
}

function noAddress(): HTMLElement {
  return element(
    'section',
    { class: 'card' },
    sky(),
    element('p', { class: 'lead' }, text('noAddress')),
    button(text('newAddress'), pressed => makeAddress(pressed), { class: 'primary' }),
  )
}

async function makeAddress(pressed: HTMLButtonElement): Promise<void> {
  pressed.disabled = true
  say(text('working'))
  await tell(await ask({ kind: 'make', url: tab?.url }))
  pressed.disabled = false
  view.querySelector<HTMLButtonElement>('.primary')?.focus()
}

/** The second press deletes: there is no way back. */
async function destroyAddress(pressed: HTMLButtonElement, token: string): Promise<void> {
  if (pressed.dataset.asked === undefined) {
    pressed.dataset.asked = ''
    pressed.textContent = text('deleteNow')
    return
  }
  await tell(await ask({ kind: 'delete', token }))
  view.querySelector<HTMLButtonElement>('.primary')?.focus()
}

function otherAddresses(others: readonly KeptAddress[]): HTMLElement {
  return element('ul', { class: 'others', 'aria-label': text('others') }, ...others.map(otherAddress))
}

function otherAddress({ email, token, usedOn, endsAtMs }: KeptAddress): HTMLElement {
  const look = (kind: string, verb: string) => ({ class: kind, 'aria-label': `${text(verb)} ${email}` })
  return element(
    'li',
    {},
    element('span', { class: 'mono' }, ...addressParts(email)),
    element(
      'span',
      { class: 'muted' },
      ...namesUnbroken([usedOn.split('//')[1], text('goneAt', timeOf(endsAtMs))].filter(Boolean).join(' · ')),
    ),
    element(
      'div',
      {},
      copyButton(email, '', look('link', 'copyAddress'), '', () => say(text('didCopy', email), 'good')),
      button(text('delete'), pressed => destroyAddress(pressed, token), look('danger', 'deleteAddress')),
    ),
  )
}

function mailRow({ mail, address }: { mail: Mail; address: KeptAddress }): HTMLElement {
  const { from, subject, receivedAt, code } = mail
  const isOne = shown.addresses.length === 1
  return element(
    'article',
    {},
    element('p', { class: 'from' }, sender(from), element('time', { datetime: receivedAt }, timeOf(receivedAt))),
    element('p', { class: 'subject' }, subject || text('noSubject')),
    !isOne && element('p', { class: 'muted mono' }, address.email),
    code !== undefined &&
      copyButton(code, text('copyCode'), { class: 'code' }, element('b', { class: 'mono' }, groupCode(code)), () => useCode(mail, code)),
  )
}

/** An address is cut at its start: whose it is stands at its end. */
function sender(from: string): HTMLElement {
  if (!/^\S+@\S+$/.test(from)) return element('b', {}, from)
  return element('b', { dir: 'rtl' }, element('bdi', { dir: 'ltr' }, from))
}

async function useCode({ id }: Mail, code: string): Promise<void> {
  say(text('didCopy', groupCode(code)), 'good')
  if (shown.waiting?.mailId === id) await ask({ kind: 'used' })
}

const waitingForMail = () => element('p', { class: 'empty' }, text('noMail'))

function footer(host: string): HTMLElement {
  return element(
    'footer',
    {},
    element('span', { class: 'muted' }, unbroken(host)),
    button(text('changeSite'), () => drawSetUp(undefined), { class: 'link' }),
  )
}

/** The choice of a server: the page in front if it is a Mayfly, or any that is typed. */
function drawSetUp(found: string | undefined): void {
  const url = element('input', { id: 'url', type: 'url', required: true, placeholder: 'https://mail.example.org', value: found })
  const key = element('input', { id: 'key', type: 'password', autocomplete: 'off', spellcheck: 'false' })
  const form = element(
    'form',
    { class: 'card' },
    sky(),
    element('h2', {}, ...namesUnbroken(text(found ? 'useThis' : 'chooseSite', found ? new URL(found).host : ''))),
    element('p', { class: 'lead' }, text(found ? 'useThisText' : 'chooseSiteText')),
    element('label', { for: 'url' }, text('siteUrl')),
    url,
    element(
      'details',
      {},
      element('summary', {}, text('apiKey')),
      element('p', { class: 'muted' }, text('apiKeyText')),
      element('label', { for: 'key', class: 'unseen' }, text('apiKey')),
      key,
    ),
    element('button', { class: 'primary' }, text('use')),
  )
  form.addEventListener('submit', event => {
    event.preventDefault()
    void useSite(new URL(url.value).origin, key.value.trim() || undefined)
  })
  view.replaceChildren(form)
  say('')
  ;(found ? form.querySelector<HTMLElement>('.primary') : url)?.focus()
}

/** Asks for the permission at once, because browsers allow that only within a press. */
async function useSite(origin: string, apiKey: string | undefined): Promise<void> {
  const requested = browser.permissions.request({ origins: [hostPattern(origin)] })
  // Firefox closes the popup over its question: the choice is kept already.
  await ask({ kind: 'useSite', origin, apiKey })
  if (!(await requested)) return tell({ did: 'fail', failure: 'refused', host: new URL(origin).host })
  say('')
  await draw()
  view.querySelector<HTMLButtonElement>('.primary')?.focus()
}

/** Once a second: the clock of the newest address. */
function tick(): void {
  const [newest] = shown.addresses
  const clock = view.querySelector<HTMLElement>('.clock')
  if (!newest || !clock) return
  const seconds = Math.max(0, Math.ceil((newest.endsAtMs - Date.now()) / 1000))
  const time = formatCountdown(seconds)
  const zeros = leadingZeros(time)
  clock.replaceChildren(element('span', {}, time.slice(0, zeros)), time.slice(zeros))
  const sky = clock.parentElement
  sky?.style.setProperty('--left', String(Math.min(1, seconds / newest.lifetimeSeconds)))
  // Night for the whole popup, as on the page.
  document.documentElement.classList.toggle('night', seconds <= WARNING_SECONDS)
}

const timeOf = (at: number | string) => clockTime(new Date(at), language)

async function start(): Promise<void> {
  ;[tab] = await browser.tabs.query({ active: true, currentWindow: true })
  await draw()
  const pressed = ask({ kind: 'press', tabId: tab?.id, url: tab?.url })
  if (!shown.addresses[0] && (await readSite())) say(text('working'))
  const outcome = await pressed
  if (outcome.did === 'setUp' || outcome.failure === 'refused') drawSetUp(outcome.origin)
  else await draw()
  await tell(outcome)
}

browser.storage.onChanged.addListener((_, area) => {
  if (area === 'session' && !view.querySelector('form')) void draw()
})
setInterval(tick, 1000)
void start()
