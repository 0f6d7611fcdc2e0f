/**
 * Collects what speaks for a number and against it, whatever words a mail has for a code: shape, place and the concepts around it. Each
 * piece of evidence has a weight, learnt from labelled mails by `lab/codes/train.ts`.
 */
import { type Concept, findConcepts, type Hit, searchFor } from '../concepts/concepts.ts'
import { conceptsAt, conceptsBeside, has, lineAt, type Part, placeAt, type Spot } from './place.ts'

/**
 * The whole mail says this. `values`: how often each candidate stands in it. `inSubject`: those of the subject. `named`: those beside a
 * name of a code.
 */
export type Whole = {
  readonly values: ReadonlyMap<string, number>
  readonly inSubject: ReadonlySet<string>
  readonly named: ReadonlySet<string>
  readonly subject: readonly Hit[]
  readonly opening: readonly Hit[]
}
type Add = (name: string, strength?: number) => void

const OPENING_CHARS = 300
const LABEL_CHARS = 24
const NEXT_CHARS = 30
/** Two words that belong together: `order number`. */
const PAIR_CHARS = 12
/** Signs between a number and its name. */
const GAP_CHARS = 8
/** What several pieces of evidence say together counts less than each alone, since there are so many. */
const CROSSED = 0.6
const CLOCK = /\b\d{1,2} ?[:.h時时시] ?\d\d\b/u
const DAY = /^(?:19|20)\d\d(?:(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01]))?$/
const FIELD = /^[\p{L}\p{M} .'’/()-]{2,30}[:：]\s*\S/u
/** The words and the number are quoted together. The look-ahead is tried once for each quote, so a line of quotes takes no longer. */
const QUOTED_BEFORE = /[“„«‘「『](?=[^”“„»’」』]*\p{L})[^”“„»’」』]*$|^[^"]*(?:"[^"]*"[^"]*)*"(?=[^"]*\p{L})[^"]*$/u
const QUOTED_AFTER = /^[^\p{L}\d“”„»’」』"]{0,3}[”“»’」』"]/u
/** So do those of a sentence that goes on behind the number. */
const QUOTED_ON = /^[^“”„«»「」『』"]*[”“»」』"]/u

/** Without one of its names or of the actions near it, a number is no code. */
const NAMES: ReadonlySet<Concept> = new Set<Concept>(['code', 'password', 'oneTime', 'digits'])
const ACTIONS: ReadonlySet<Concept> = new Set<Concept>(['enter', 'confirm', 'account', 'approve'])
/** With one of these a code proves something. */
const PROOFS: readonly Concept[] = ['confirm', 'account', 'identity', 'reset', 'approve', 'oneTime']
/** Numbers are for all of these too. */
const TOPICS: readonly Concept[] = [
  'order',
  'bill',
  'amount',
  'parcel',
  'phone',
  'reference',
  'booking',
  'shop',
  'customer',
  'card',
  'door',
  'street',
  'company',
  'error',
  'meeting',
  'product',
  'show',
  'collect',
  'expired',
  'fraud',
  'alert',
  'never',
  'earlier',
  'past',
  'example',
  'say',
  'basket',
]

export function toWhole(spots: readonly Spot[], subject: readonly Hit[], body: string): Whole {
  const values = new Map<string, number>()
  for (const { candidate } of spots) values.set(candidate.value, (values.get(candidate.value) ?? 0) + 1)
  const inSubject = new Set(spots.filter(({ part }) => part.isSubject).map(({ candidate }) => candidate.value))
  const named = new Set(spots.filter(isNamedBeside).map(({ candidate }) => candidate.value))
  const opening = findConcepts(body, 0, Math.min(body.length, OPENING_CHARS))
  return { values, inSubject, subject, opening, named }
}

/** The concepts around a candidate, by place. */
type Zones = {
  readonly [zone in 'label' | 'before' | 'preceding' | 'next' | 'after' | 'following' | 'above' | 'further' | 'below']: readonly Hit[]
}

function zonesOf(spot: Spot): Zones {
  const beside = conceptsBeside(spot)
  const { before, after } = beside
  const { start, end } = spot.candidate
  return {
    ...beside,
    label: before.filter(hit => hit.start >= start - LABEL_CHARS),
    next: after.filter(hit => hit.end <= end + NEXT_CHARS),
    above: conceptsAt(spot, -1),
    further: conceptsAt(spot, -2),
    below: conceptsAt(spot, 1),
  }
}

function namesCode(hits: readonly Hit[]): boolean {
  return hits.some(({ concept }) => NAMES.has(concept))
}

export const isNamed = searchFor(NAMES)
const isOfCode = searchFor(new Set([...NAMES, ...ACTIONS]))

/** Whether any word around a line may be of a code. */
export function isLineNearCode({ lines, areOfCode }: Part, index: number): boolean {
  for (let at = Math.max(0, index - 2); at <= index + 1 && at < lines.length; at++) {
    areOfCode[at] ??= isOfCode(lines[at] ?? '')
    if (areOfCode[at]) return true
  }
  return false
}

/** Whether any word around a number may be of a code; what is done with one stands in its line, or right beside that. */
export function isNearCode(spot: Spot): boolean {
  if (!isLineNearCode(spot.part, spot.index)) return false
  return [0, -1, 1].some(offset => isOfCode(...placeAt(spot, offset))) || isNamed(...placeAt(spot, -2))
}

/** Calls `add` with the name and the strength of each piece of evidence. */
export function collectEvidence(spot: Spot, whole: Whole, add: Add): void {
  const zones = zonesOf(spot)
  const { isAlone, before, part, candidate } = spot
  const isLabelled = /(?:[:：→=]|[=-]>)\s*["“«*]*$/.test(before)
  const place = part.isSubject ? 'subject' : isAlone ? 'alone' : isLabelled ? 'labelled' : 'inline'
  addShape(spot, place, whole, add)
  addPlace(spot, isLabelled, add)
  const zone = (name: string, hits: readonly Hit[], strength: number) => {
    for (const concept of new Set(hits.map(hit => hit.concept))) {
      add(`${name} ${concept}`, strength)
      add(`${name} ${concept} ${place}`, strength / 2)
    }
  }
  const pairs = (hits: readonly Hit[], strength: number) => {
    for (const [at, { concept, start }] of hits.entries()) {
      const previous = hits[at - 1]
      if (previous && start - previous.end <= PAIR_CHARS && concept !== previous.concept)
        add(`pair ${previous.concept} ${concept}`, strength)
    }
  }
  const nearest = (name: string, hit: Hit | undefined) => add(`${name} nearest ${hit?.concept ?? 'none'}`, 1)
  zone('subject', whole.subject, 0.7)
  zone('opening', whole.opening, 0.35)
  zone('above', zones.above, isAlone ? 1 : 0.5)
  zone('below', zones.below, isAlone ? 0.7 : 0.4)
  zone('further above', zones.further, isAlone ? 0.6 : 0.3)
  if (isAlone) {
    pairs(zones.above, 0.6)
    nearest('above', zones.above.at(-1))
  } else {
    zone('label', zones.label, 1)
    zone('before', zones.before, 1)
    zone('next', zones.next, 1)
    zone('after', zones.after, 0.8)
    zone('following', zones.following, 0.8)
    zone('preceding', zones.preceding, 0.6)
    pairs(zones.before, 0.6)
    pairs(zones.next, 0.6)
    nearest('label', zones.label.at(-1))
    nearest('next', zones.next[0])
  }
  addCrosses(spot, place, zones, whole, candidate.kind, (name, strength = 1) => add(name, CROSSED * strength))
  addNames(spot, place, zones, whole, add)
}

/** Adds which of two numbers stands beside the name of a code, and whether a time says when it was used. */
function addNames({ candidate, before, after, isAlone }: Spot, place: string, zones: Zones, { named }: Whole, add: Add): void {
  const isNamed = named.has(candidate.value)
  const names = `named ${isNamed}, others ${Math.min(2, named.size - Number(isNamed))}`
  add(names)
  add(`${names}, ${place}`)
  if (isAlone || !CLOCK.test(`${before} ${after}`)) return
  add('clock beside')
  add(`clock beside, named ${isNamed}`)
  if (has(zones.before, 'past') || has(zones.after, 'past')) add('clock beside past')
}

/** Whether a name of a code stands right before a number or right after it, with no other word between them, or in the line above. */
function isNamedBeside(spot: Spot): boolean {
  const { candidate, part, index } = spot
  if (spot.isAlone) return namesCode(conceptsAt(spot, -1))
  const line = part.lines[index] ?? ''
  return conceptsAt(spot, 0).some((hit, at, hits) => {
    if (!isNameOfCode(hit, at, hits)) return false
    const gap =
      hit.end <= candidate.start
        ? line.slice(hit.end, candidate.start).replace(/^\p{L}+/u, '')
        : line.slice(candidate.end, hit.start).replace(/\p{L}+$/u, '')
    return gap.length <= GAP_CHARS && !/[\p{L}.!?。]/u.test(gap)
  })
}

/** `code`, and `verification number` in either order. */
function isNameOfCode({ concept, start, end }: Hit, at: number, hits: readonly Hit[]): boolean {
  if (concept === 'code' || concept === 'password' || concept === 'oneTime') return true
  if (concept !== 'digits' && concept !== 'confirm') return false
  const other = concept === 'digits' ? 'confirm' : 'digits'
  const [before, after] = [hits[at - 1], hits[at + 1]]
  return (before?.concept === other && start - before.end <= PAIR_CHARS) || (after?.concept === other && after.start - end <= PAIR_CHARS)
}

/** The name that stands nearest to the candidate, and how surely it is one of a code. */
function nameOf(zones: Zones, whole: Whole, isAlone: boolean): string {
  const places: [string, readonly Hit[]][] = isAlone
    ? [
        ['above', zones.above],
        ['below', zones.below],
        ['further', zones.further],
        ['subject', whole.subject],
      ]
    : [
        ['label', zones.label],
        ['next', zones.next],
        ['before', zones.before],
        ['after', zones.after],
        ['following', zones.following],
        ['preceding', zones.preceding],
        ['above', zones.above],
        ['below', zones.below],
        ['subject', whole.subject],
      ]
  for (const [where, hits] of places) {
    const name = hits.findLast(({ concept }) => concept === 'code' || concept === 'password')
    if (!name) continue
    const isNear = ({ start, end }: Hit) => start - name.end <= PAIR_CHARS && name.start - end <= PAIR_CHARS
    const about = hits.filter(isNear)
    const strength = has(about, ...PROOFS) ? 'sure' : has(hits, ...PROOFS) ? 'likely' : 'bare'
    const other = has(about, ...TOPICS) ? ' other' : ''
    const warned = has(hits, 'never') ? ' warned' : ''
    return `${where} ${strength}${other}${warned}`
  }
  for (const [where, hits] of places) if (has(hits, 'digits', 'oneTime')) return `${where} digits`
  return 'none'
}

function addCrosses(spot: Spot, place: string, zones: Zones, whole: Whole, kind: string, add: Add): void {
  const name = nameOf(zones, whole, spot.isAlone)
  const near = spot.isAlone ? [...zones.above, ...zones.below] : [...zones.before, ...zones.after]
  const around = [...near, ...zones.preceding, ...zones.following, ...zones.above, ...zones.below, ...zones.further]
  const lasting = has(around, 'expire', 'minutes') ? 'lasts' : 'stays'
  const asked = has(near, 'enter')
    ? has(near, 'page')
      ? 'on page'
      : 'here'
    : has(around, 'enter')
      ? 'near'
      : has(near, 'use')
        ? 'used'
        : 'not'
  const proofs = [has(near, ...PROOFS) && 'here', has(around, ...PROOFS) && 'near', has(whole.subject, ...PROOFS) && 'subject'].filter(
    Boolean,
  )
  const proof = proofs[0] ?? 'none'
  const strength = name.split(' ').slice(1).join(' ')
  for (const cross of [
    `name ${name}`,
    `name ${name}, asked ${asked}`,
    `name ${name}, proof ${proof}`,
    `name ${name}, ${kind}`,
    `name ${strength}, ${place}`,
    `name ${strength}, asked ${asked}, proof ${proof}`,
    `asked ${asked}, ${kind}`,
    `asked ${asked}, ${place}`,
    `proof ${proof}, ${kind}`,
    `proof ${proofs.length}`,
    `${lasting}, name ${strength}`,
    `${lasting}, asked ${asked}`,
    `${lasting}, ${place}`,
    `${lasting}, proof ${proof}, name ${strength}`,
  ])
    add(cross)
  let others = 0
  for (const topic of TOPICS) {
    const where = has(whole.subject, topic) ? 'subject' : has(near, topic) ? 'here' : has(around, topic) ? 'near' : undefined
    if (!where) continue
    others++
    add(`${topic} ${where}, name ${strength}`)
    add(`${topic} ${where}, asked ${asked}`)
    add(`${topic} ${where}, proof ${proof}`, 0.7)
    add(`${topic} ${where}, ${kind}`)
    add(`${topic} ${where}, ${place}`, 0.7)
    add(`topic ${where}, name ${strength}, asked ${asked}`, 0.5)
  }
  add(`${Math.min(others, 4)} topics, name ${strength}`)
}

function addShape({ candidate }: Spot, place: string, { values, inSubject }: Whole, add: Add) {
  const { kind, value, start, end } = candidate
  const rivals = step(values.size, 2, 3, 5, 9)
  const names = [
    'any',
    place,
    `${kind} ${place}`,
    `${kind} of ${value.length}`,
    `${kind} with ${end - start - value.length} marks`,
    `${rivals} rivals`,
    `${rivals} rivals ${place}`,
    `${step(values.get(value) ?? 1, 2, 3)} times`,
  ]
  for (const name of names) add(name)
  if (DAY.test(value)) add(`day ${place}`)
  if (candidate.isSpelled) add('spelled')
  if (inSubject.has(value)) add('in subject')
}

function addPlace(spot: Spot, isLabelled: boolean, add: Add): void {
  const { index, before, after, isAlone, part } = spot
  const fields = isLabelled ? [-1, 1].filter(offset => FIELD.test(lineAt(spot, offset))).length : 0
  const isQuoted = QUOTED_BEFORE.test(before)
  const marks: [name: string, applies: boolean][] = [
    ['block', isAlone && part.begins[index] === true && part.begins[index + 1] !== false],
    ['colon above', isAlone && /[:：]$/.test(lineAt(spot, -1))],
    ['digit above', isAlone && /\d/.test(lineAt(spot, -1))],
    ['begins', before.trim() === ''],
    ['marked up', /[`[(@/_]$/.test(before) || /^[`\](@/_]/.test(after)],
    ['named before', /(?:^|\s)\p{Lu}{2,6}[ -]$/u.test(before)],
    ['ends', /^[.\s]*$/.test(after)],
    ['numbered', /[#№]\s*$|(?:n[º°o]\.?|nr\.?|no\.)\s*$/i.test(before)],
    ['dash after', /^\s?[-–—|]/.test(after)],
    ['dash before', /[-–—|/]\s?$/.test(before)],
    ['digits before', /\d[^\p{L}]*$/u.test(before.slice(-12))],
    ['digits after', /^[^\p{L}]*\d/u.test(after.slice(0, 12))],
    ['quoted', /["“«「『]\s*$/.test(before) && /^\s*["”»」』]/.test(after)],
    ['quoted with words', isQuoted && QUOTED_AFTER.test(after)],
    ['in a quotation', isQuoted && QUOTED_ON.test(after)],
  ]
  for (const [name, applies] of marks) if (applies) add(name)
  add(`${fields} fields around`)
  add(`position ${step(index, 1, 3, 6, 10, 20)}`)
}

/** How many of the bounds a number reaches. */
function step(value: number, ...bounds: number[]): number {
  return bounds.filter(bound => value >= bound).length
}
