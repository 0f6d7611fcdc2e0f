/**
 * Collects what speaks for a link and against it, whatever words a mail has: the concepts of its words, of those around it and of the
 * subject, its URL, and its place among the other links. Each piece of evidence has a weight, learnt by `lab/codes/train.ts`.
 */
import { type Concept, findConcepts, searchFor } from '../concepts/concepts.ts'
import { type Link, type LinkSource, listPlaces, sentenceOf, standsAlone } from './link-places.ts'

/** `own`: a random part. `tracked`: one that each link of that site has, so it proves nothing. `some`: any other name or number. */
type LinkToken = 'own' | 'tracked' | 'some' | 'none'

/** Names whose values say nothing of the reader: a campaign, a language, the page that comes next. */
const COMMON_NAME = /^(?:utm_.*|lang|language|locale|hl|lc|ref|source|src|v|next|back_?url|return_?(?:to|url)|redirect.*|target|theme)$/i
const HEX = /^(?=.*\d)(?=.*[a-f])(?:[\da-f]{12,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i
/** Where letters become digits, digits letters, or small letters capitals: rare in words, frequent in what was drawn by lot. */
const CHANGE = /[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g
/** How the names of steps begin that only a link in a mail takes. */
const STEPS = 'confirm|verif|activat|reset|unlock|magic|invit'
/** In tests and small programs what follows the name of the step is often short: `/confirm/xyz`. */
const BEHIND_STEP = new RegExp(`/(?:${STEPS}|opt-?in)[^/]*/[^/]`, 'i')
/** So many links of one shape are no choice between yes and no: a program has rewritten all of them. */
const TRACKED_MIN = 3

/** The token of each URL of a mail, judged beside the others. */
function tokensOf(urls: readonly string[]): Map<string, LinkToken> {
  const tokens = new Map(urls.map(url => [url, tokenOf(url)]))
  const own = [...tokens.keys()].filter(url => tokens.get(url) === 'own')
  for (const links of Map.groupBy(own, shapeOf).values()) {
    if (links.length >= TRACKED_MIN) for (const url of links) tokens.set(url, 'tracked')
  }
  return tokens
}

function tokenOf(url: string): LinkToken {
  const [path = '', ...query] = url.slice(url.indexOf('/', 8)).split(/[?&#;]/)
  const values = query.flatMap(part => (COMMON_NAME.test(part.split('=')[0] ?? '') ? [] : part.slice(part.indexOf('=') + 1).split('/')))
  const steps = path.split('/')
  if ([...steps, ...values].some(isRandom)) return 'own'
  const isNamed = values.some(value => /^[^+]+$/.test(value)) || steps.some(step => /\d|^[\w-]{16}/.test(step)) || BEHIND_STEP.test(path)
  return isNamed ? 'some' : 'none'
}

function isRandom(part: string): boolean {
  return HEX.test(part) || (part.length >= 8 && (part.match(CHANGE)?.length ?? 0) >= Math.max(3, part.length / 6))
}

/** The site without its first names, and the first step of the path. */
function shapeOf(url: string): string {
  const [, host = '', step = ''] = /^https?:\/\/([^/?#]*)\/?([^/?#]*)/i.exec(url) ?? []
  return `${host.split('.').slice(-2).join('.')}/${isRandom(step) ? '' : step}`
}

type Add = (name: string, strength?: number) => void
type Concepts = ReadonlySet<Concept>

/**
 * The whole mail says this, with all of its links. `buttons`, `bare`: the URLs that stand alone, with words of their own and without.
 */
type Whole = {
  readonly subject: Concepts
  readonly body: Concepts
  readonly opening: Concepts
  readonly hasPrice: boolean
  readonly tokens: ReadonlyMap<string, LinkToken>
  readonly urls: readonly string[]
  readonly buttons: readonly string[]
  readonly bare: readonly string[]
  /** How often each URL stands in the mail. */
  readonly times: ReadonlyMap<string, number>
}

/** A link that may be one, and what speaks for it. */
type LinkCandidate = { readonly link: Link; readonly collect: (add: Add) => void }
/** One link with the concepts of its places. */
type Sight = {
  readonly link: Link
  readonly token: LinkToken
  readonly kind: 'bare' | 'labelled'
  readonly label: Concepts
  readonly sentence: Concepts
  readonly above: Concepts
  readonly isPriced: boolean
}

const FIRST_CHARS = 240
/** Newsletters have more. */
const FEW_LINKS = 12
const BODY_CHARS = 2048
const OPENING_CHARS = 300
const ABOVE_CHARS = 200
const PATH_CHARS = 300
const NAMES_MAX = 11
/** The words of a whole mail stand for all of its links, and are not told apart by them. */
const CROSSED_MIN = 0.5
/** A mail that asks for a link to be followed says one of these, and a link that is followed is for one of them, the surest first. */
const ASKED: readonly Concept[] = ['confirm', 'reset', 'approve', 'invite', 'account', 'delete', 'password', 'nearly', 'subscribe', 'yes']
/** A link is also followed for these, and `OTHERS` says what else links are for. */
const ASKS: readonly Concept[] = [...ASKED, 'continue', 'unsubscribe', 'mail']
const OTHERS: readonly Concept[] = [
  'bill',
  'order',
  'amount',
  'parcel',
  'booking',
  'shop',
  'help',
  'terms',
  'view',
  'notMe',
  'keep',
  'alert',
  'unsubscribe',
  'product',
  'show',
  'meeting',
  'company',
  'survey',
  'social',
  'done',
]
const MAY_ASK: readonly Concept[] = [...ASKED, 'ignore', 'expire']
/** Shops of apps and social networks, in every language by these names. */
const ELSEWHERE =
  /app ?store|google play|^(?:facebook|instagram|twitter|x|linkedin|youtube|tiktok|whatsapp|telegram|pinterest|threads|mastodon|bluesky|github|discord)$/iu
/** `Confirm your data and pay 1.95 €` */
const PRICE = /[€$£¥₹₽₺] ?\d|\d ?(?:[€$£₽₺円元원]|(?:kr|zł|eur|usd|tl|руб)(?!\p{L}))/iu
/** A step of the path of a link that can only mean one thing. */
const STEP =
  /(?:^|[/_.-])(?:confirm(?:ation)?|verif(?:y|ication)|activat(?:e|ion)|reset|unlock|magic|opt-?in|invit\w{0,10}|validate|accept|join)(?=[/_.-]|$)/i

/** Whether a mail may have one, by its first words, its URLs or the words of its few links; most have not, and their links are not read. */
function mayAsk(subject: string, text: string, links: readonly { readonly url: string; readonly label: string }[]): boolean {
  const isWritten = /https?:/i.test(text)
  return (
    (isWritten || links.length > 0) &&
    (asks(subject) ||
      asks(text.slice(0, FIRST_CHARS)) ||
      links.some(({ url }) => STEP.test(url)) ||
      (links.length <= FEW_LINKS && links.some(({ label }) => asks(label))) ||
      (isWritten && STEP.test(text)))
  )
}

const asks = searchFor(new Set(MAY_ASK))

function isOfAsking(concepts: Concepts): boolean {
  return MAY_ASK.some(concept => concepts.has(concept))
}

/** The links of the HTML, and below them the links of the text, which count where the HTML has none. */
export function linkCandidates(source: LinkSource): (() => LinkCandidate[])[] {
  return listPlaces(source).map(({ text, seen, links }) => () => {
    const all = mayAsk(source.subject ?? '', text, seen) ? links() : []
    const tokens = tokensOf(all.map(({ opened }) => opened))
    // Most mails have only links that everybody gets.
    if ([...tokens.values()].every(token => token === 'none')) return []
    const whole = readWhole(source.subject ?? '', text, all, tokens)
    return all.flatMap(link => {
      const sight = toSight(link, whole)
      return sight ? [{ link, collect: add => collectEvidence(sight, whole, add) }] : []
    })
  })
}

function readWhole(subject: string, text: string, links: readonly Link[], tokens: Whole['tokens']): Whole {
  const times = new Map<string, number>()
  for (const { url } of links) times.set(url, (times.get(url) ?? 0) + 1)
  const alone = links.filter(link => !link.isMenu && standsAlone(link.around()))
  const urlsOf = (chosen: readonly Link[]) => [...new Set(chosen.map(({ url }) => url))]
  return {
    subject: conceptsOf(subject),
    body: conceptsOf(text.slice(0, BODY_CHARS)),
    opening: conceptsOf(text.slice(0, OPENING_CHARS)),
    hasPrice: PRICE.test(text.slice(0, 2 * BODY_CHARS)),
    tokens,
    times,
    urls: [...tokens.keys()],
    buttons: urlsOf(alone.filter(({ isHead, label }) => !isHead && label !== '' && !ELSEWHERE.test(label))),
    bare: urlsOf(alone.filter(({ label }) => label === '')),
  }
}

/** A link that everybody gets, or that stands where nothing is asked, has none. */
function toSight(link: Link, { tokens, urls, subject, opening }: Whole): Sight | undefined {
  const token = tokens.get(link.opened) ?? 'none'
  if (token === 'none') return undefined
  const around = link.around()
  const label = conceptsOf(link.label)
  // Every newsletter has a way to end it. It is wanted only where the mail is about that, or asks to confirm.
  if (label.has('leave') && ![label, subject].some(concepts => concepts.has('confirm')) && !subject.has('leave')) return undefined
  const words = sentenceOf(around)
  const sentence = conceptsOf(words)
  const asked = [label, sentence, ...(urls.length > FEW_LINKS ? [] : [subject, opening])]
  const isAsked = asked.some(concepts => isOfAsking(concepts)) || STEP.test(link.opened)
  if (!isAsked) return undefined
  const above = conceptsOf(around.above.slice(-ABOVE_CHARS))
  return { link, token, kind: link.label === '' ? 'bare' : 'labelled', label, sentence, above, isPriced: PRICE.test(words) }
}

/** Calls `add` with the name and the strength of each piece of evidence. */
function collectEvidence(sight: Sight, whole: Whole, add: Add): void {
  const { link, token, kind } = sight
  const [path = '', ...query] = link.opened.slice(link.opened.indexOf('/', 8)).split(/[?&#;]/)
  const names = query.slice(0, NAMES_MAX).map(part => (part.split('=')[0] ?? '').slice(0, 30).toLowerCase())
  const inPath = conceptsOf(wordsOf(path.slice(0, PATH_CHARS)))
  const place = placeOf(link, whole)
  const where = kind === 'bare' ? `bare ${rankIn(whole.bare, link)}` : `button ${rankIn(link.isHead ? [] : whole.buttons, link)}`
  const rivals = `rivals ${Math.min(4, whole.urls.filter(url => isRival(whole.tokens.get(url), token)).length - 1)}`
  addUrl(sight, path, names, whole, add)
  for (const name of [
    'any',
    kind,
    token,
    place,
    where,
    rivals,
    `${kind} ${place}`,
    `${token} ${place}`,
    `${token} ${kind}`,
    `${where} ${token}`,
    `${rivals} ${token}`,
    `${rivals} ${place}`,
    `words ${step(link.label.split(/\s+/).length, 2, 3, 5, 8)}`,
    `times ${Math.min(whole.times.get(link.url) ?? 1, 3)}`,
    `quarter ${Math.floor(link.at * 4)}`,
    `quarter ${Math.floor(link.at * 4)} ${token}`,
  ])
    add(name)
  if (sight.isPriced) add('price beside')
  if (whole.hasPrice) add(`price ${kind}`)
  for (const [zone, concepts, strength] of [
    ['label', sight.label, 1],
    ['sentence', sight.sentence, 0.7],
    ['above', sight.above, 0.5],
    ['path', inPath, 1],
    ['names', conceptsOf(wordsOf(names.join(' '))), 0.7],
    ['subject', whole.subject, 0.7],
    ['opening', whole.opening, 0.3],
    ['body', whole.body, 0.3],
  ] as const) {
    for (const concept of concepts) {
      add(`${zone} ${concept}`, strength)
      if (strength < CROSSED_MIN) continue
      add(`${zone} ${concept} ${token}`, strength / 2)
      add(`${zone} ${concept} ${kind}`, strength / 2)
    }
    if (concepts.size === 0) add(`${zone} nothing`, strength)
  }
  addCrosses(sight, whole, roleOf(inPath), { place, where, rivals }, add)
}

function addUrl({ link, token }: Sight, path: string, names: readonly string[], { urls }: Whole, add: Add): void {
  const index = step(urls.indexOf(link.opened), 1, 2, 3, 5, 9)
  const count = step(urls.length, 2, 3, 4, 6, 9, 13)
  const isStep = STEP.test(path)
  for (const name of [
    `count ${count}`,
    `count ${count} ${token}`,
    `index ${index}`,
    `index ${index} ${token}`,
    `last ${link.opened === urls.at(-1)}`,
    `step ${isStep}`,
    `step ${isStep} ${token}`,
    `depth ${Math.min(path.split('/').length, 6)}`,
    `queries ${Math.min(names.length, 3)}`,
  ])
    add(name)
  for (const name of new Set(names)) if (/^[a-z_-]{1,20}$/.test(name)) add(`query ${name}`, 0.5)
}

/** Adds what the link, its sentence and the subject say together. */
function addCrosses(sight: Sight, whole: Whole, url: string, places: { place: string; where: string; rivals: string }, add: Add): void {
  const { token, kind, label, sentence } = sight
  const { subject, body } = whole
  const { place, where, rivals } = places
  const [near, mail] = [roleOf(sentence), roleOf(subject)]
  const said = kind === 'bare' ? sentence : label
  const own = roleOf(said)
  for (const cross of [
    `own ${own}, mail ${mail}`,
    `own ${own}, ${token}`,
    `own ${own}, ${place}`,
    `own ${own}, url ${url}`,
    `own ${own}, near ${near}`,
    `own ${own}, ${where}`,
    `own ${own}, ${rivals}`,
    `mail ${mail}, ${token}`,
    `mail ${mail}, ${place}`,
    `mail ${mail}, url ${url}`,
    `mail ${mail}, ${where}`,
    `mail ${mail}, ${rivals}`,
    `mail ${mail}, ${token}, ${rivals}`,
    `mail ${mail}, own ${own}, ${token}`,
    `near ${near}, mail ${mail}`,
  ])
    add(cross, 0.7)
  for (const concept of label)
    if (subject.has(concept)) {
      add(`label and subject ${concept}`)
      add('label and subject')
    }
  for (const concept of sentence) if (subject.has(concept)) add(`sentence and subject ${concept}`, 0.5)
  for (const other of OTHERS) if (subject.has(other)) for (const ask of ASKS) if (said.has(ask)) add(`subject ${other}, own ${ask}`, 0.5)
  if (body.has('ignore')) add(`ignore, ${token}`)
  if (body.has('ignore')) add(`ignore, ${place}`)
  if (body.has('expire')) add(`expire, ${token}`)
  if (body.has('ignore') && body.has('expire')) add('ignore and expire')
}

function placeOf(link: Link, { buttons, bare }: Whole): string {
  if (ELSEWHERE.test(link.label)) return 'elsewhere'
  if (link.isMenu) return 'menu'
  if (link.isHead) return 'head'
  return (link.label === '' ? bare : buttons).includes(link.url) ? 'button' : 'inline'
}

function rankIn(urls: readonly string[], { url }: Link): string {
  return `${Math.min(urls.indexOf(url), 2)} of ${Math.min(urls.length, 3)}`
}

function isRival(other: LinkToken | undefined, token: LinkToken): boolean {
  return token === 'own' ? other === 'own' : other !== 'none'
}

/** The surest of what is asked, and whether anything else is meant, too. */
function roleOf(concepts: Concepts): string {
  return `${ASKS.find(ask => concepts.has(ask)) ?? 'nothing'}${OTHERS.some(other => concepts.has(other)) ? ' and other' : ''}`
}

function conceptsOf(text: string): Concepts {
  return new Set(findConcepts(text).map(({ concept }) => concept))
}

/** The words of a path, as of `/confirmEmail/reset_password`. */
function wordsOf(name: string): string {
  return name.replace(/[^\p{L}]+/gu, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
}

/** How many of the bounds a number reaches. */
function step(value: number, ...bounds: number[]): number {
  return bounds.filter(bound => value >= bound).length
}
