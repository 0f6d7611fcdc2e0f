import { judgeLink, unwrapLink } from '#contract/links.ts'
import type { ConfirmationLink } from '#contract/mailbox.ts'
import { htmlToText } from '#server/mime/text/html-text.ts'
import { anyOf } from './any-of.ts'

/** As for codes: the link to click is near the top. */
const TEXT_CHARS_MAX = 131_072
const URL_CHARS_MAX = 2048
const LABEL_CHARS_MAX = 80
/** Newsletters have some 50 links; the thousandth is an attack. */
const LINKS_READ_MAX = 500
const LINKS_MAX = 3
const LINK_TAG_CHARS_MAX = 4096

/**
 * Words of links that ask for an action. English and Spanish in full; Portuguese, French, German and Italian for the most common phrases.
 */
const ASKS = new RegExp(
  anyOf([
    ...['confirm', 'v[eé]rif(?:y|ica|ier|iez|izier)(?!ti|ci|tion)', String.raw`activ(?<![\p{L}-]activ)(?:ate|ar?\b|ez|eer)`],
    ...[String.raw`valid(?:ate|ar?\b|er|ez)`, String.raw`complet(?:e|ar?)\b.{0,20}(?:regist|sign)`, 'finish.{0,20}(?:sign|regist)'],
    ...['reset', 'restablec', 'recuperar', 'redefin', 'réinitialis', 'zurücksetz', 'reimposta', 'bestätig', 'aktivier', 'conferma'],
    ...[String.raw`attiva\b`, 'attivare', String.raw`log in\b`, String.raw`sign in\b`, 'inicia sesión', 'iniciar sesión'],
    ...['set', 'choose', 'create', 'crea', 'crear', 'elegir'].map(verb => `${verb}.{0,15}(?:password|contraseña)`),
    ...['se connecter', 'connectez', 'einloggen', 'anmelden', 'entrar na conta', 'acessar (?:a )?(?:minha )?conta', String.raw`accedi\b`],
    ...['magic link', 'enlace mágico', 'accede a', 'acceder a', 'accept.{0,15}invit', 'aceptar.{0,20}invit'],
    ...['join (?:the )?(?:team|workspace|board)', 'unlock', 'desbloque'],
  ]),
  'iu',
)
/** Every shop's newsletter has these words too. They count only if there are few other links. */
const SIGN_IN = /^\W*(?:log|sign) ?in\W*$/iu
const FEW_LINKS = 12
/** What the target of one is named. */
const TARGETS =
  /confirm|verif|activ(?:at|ar|ac)|validat|validar|\/v\/|magic|one-?time|reset|restablec|recuperar|opt-?in|login\?|signin\?|invit(?:e|ation|acion)|registro\/completar|[?&](?:token|otp)=/iu
/** Links that almost every mail has. */
const BESIDES =
  /unsubscribe|opt-?out|\bbaja\b|\/baja|preferenc|privacy|privacidad|terms|condiciones|cookies|help|ayuda|support|soporte|report|denunci|not you|no fui|didn.t|view (?:it |this )?in (?:a |your )?browser|settings|ajustes|\/view\/|admin/iu

type Link = { url: string; label: string; before: string }

/**
 * The links a mail wants followed to confirm, sign in, reset or accept, best guess first, at most three. `label` is the link's own words,
 * at most 80 characters, or its host where it has none. Time is linear in the input.
 */
export function findConfirmationLinks({
  html = '',
  text = '',
}: {
  html?: string | undefined
  text?: string | undefined
}): ConfirmationLink[] {
  const links = html ? linksOfHtml(html.slice(0, TEXT_CHARS_MAX)) : []
  const found = rank(links)
  return found.length > 0 ? found : rank(linksOfText(text.slice(0, TEXT_CHARS_MAX)))
}

/** Whether a subject or text asks to confirm something; only then are links searched. */
export function asksToConfirm(words: string): boolean {
  return ASKS.test(words)
}

function rank(links: Link[]): ConfirmationLink[] {
  const scored = new Map<string, { link: ConfirmationLink; score: number }>()
  for (const { url, label, before } of links) {
    const score = links.length > FEW_LINKS && SIGN_IN.test(label) ? 0 : scoreLink(url, label, before)
    const known = scored.get(url)
    if (score > (known?.score ?? 0)) scored.set(url, { link: { url, label: label || readHost(url) }, score })
  }
  return [...scored.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, LINKS_MAX)
    .map(({ link }) => link)
}

/** The words of a link count most. Without any, the sentence before it and the name of its target must agree. */
function scoreLink(url: string, label: string, before: string): number {
  const opened = unwrapLink(url)
  const target = opened.slice(opened.indexOf('/', 8))
  if (BESIDES.test(label) || BESIDES.test(target)) return 0
  const isTarget = TARGETS.test(target)
  if (label !== '') return ASKS.test(label) ? 80 + (isTarget ? 10 : 0) : 0
  return isTarget && ASKS.test(before) ? 70 : 0
}

function linksOfHtml(html: string): Link[] {
  const links: Link[] = []
  for (let at = nextAnchor(html, 0); at !== -1 && links.length < LINKS_READ_MAX; at = nextAnchor(html, at + 2)) {
    const tagEnd = html.indexOf('>', at)
    if (tagEnd === -1) break
    const url = readHref(html.slice(at, Math.min(tagEnd, at + LINK_TAG_CHARS_MAX)))
    if (url === undefined) continue
    const label = htmlToText(contentFrom(html, tagEnd + 1), LABEL_CHARS_MAX)
      .replace(/\s+/g, ' ')
      .slice(0, LABEL_CHARS_MAX)
    // A link that pretends is never put before the reader, whatever it is called.
    if (judgeLink(url, label).flag) continue
    links.push({ url, label: isAddress(label) ? '' : label, before: htmlToText(html.slice(Math.max(0, at - 300), at)).slice(-150) })
  }
  return links
}

function nextAnchor(html: string, from: number): number {
  for (let at = html.indexOf('<', from); at !== -1; at = html.indexOf('<', at + 1)) {
    if (/^<a\s/i.test(html.slice(at, at + 3))) return at
  }
  return -1
}

/** Up to the end of the link, with a limit: the label of an unclosed link must not be the rest of the mail. */
function contentFrom(html: string, start: number): string {
  const content = html.slice(start, start + LINK_TAG_CHARS_MAX)
  const end = content.search(/<\/a|<a\s/i)
  return end === -1 ? content : content.slice(0, end)
}

function readHref(tag: string): string | undefined {
  const match = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag)
  const raw = match?.[1] ?? match?.[2] ?? match?.[3]
  return raw === undefined ? undefined : webAddress(htmlToText(raw))
}

function linksOfText(text: string): Link[] {
  const links: Link[] = []
  for (const match of text.matchAll(/https?:\/\/[^\s<>"'“”«»]+/gi)) {
    const url = webAddress(match[0].replace(/[.,;:!?)\]}]+$/, ''))
    if (url && !judgeLink(url, url).flag) links.push({ url, label: '', before: text.slice(Math.max(0, match.index - 150), match.index) })
    if (links.length >= LINKS_READ_MAX) break
  }
  return links
}

/** http and https only, unchanged from the mail: the shown URL must be the opened one. */
function webAddress(raw: string): string | undefined {
  const url = raw.trim()
  if (url.length > URL_CHARS_MAX || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  return url
}

function isAddress(label: string): boolean {
  return /^(?:https?:\/\/|www\.)/i.test(label)
}

function readHost(url: string): string {
  return new URL(url).host
}
