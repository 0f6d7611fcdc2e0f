/** Reasons not to offer a number, however much speaks for it. They are asked last, because most numbers are nothing by then. */
import { isMeetingNear, isToldNear, type Spot, sentenceAround } from './spot.ts'

type Doubt = { readonly name: string; readonly like: string; readonly applies: (spot: Spot) => boolean }

/** `n° 20260418`. */
const NUMBERED = /(?:\bn[º°]|№|\b(?:no|nr)\.)\s?$/i
/** The words and the number are quoted together. */
const QUOTED_BEFORE = /[“„«‘「『][^”“„»’」』]*\p{L}[^“”„»’」』]*$|^[^"]*(?:"[^"]*"[^"]*)*"[^"]*\p{L}[^"]*$/u
const QUOTED_AFTER = /^[^\p{L}\d“”„»’」』"]{0,3}[”“»’」』"]/u

export const DOUBTS: readonly Doubt[] = [
  { name: 'wanted with a card', like: 'Enter the code 481516 and your card number', applies: isStolen },
  {
    name: 'a voucher',
    like: '40 % off with FLASH40',
    applies: ({ candidate, before, after, context: { words } }) =>
      candidate.kind !== 'digits' && (words.shop.test(before) || words.shop.test(after)),
  },
  { name: 'numbered', like: 'Request n° 20260418', applies: ({ before }) => NUMBERED.test(before) },
  {
    name: 'quoted',
    like: 'mails with the subject “Your code: 481516”',
    applies: ({ before, after }) => QUOTED_BEFORE.test(before) && QUOTED_AFTER.test(after),
  },
  {
    name: 'expired',
    like: 'The code 481516 has expired',
    applies: ({ before, after, context }) => context.isExpired() || context.words.expired.test(sentenceAround(before, after)),
  },
  {
    name: 'of a warning',
    like: 'Scammers write: your code is 481516',
    applies: ({ before, context }) => context.words.fraud.test(sentenceAround(before, '')),
  },
  {
    name: 'a word of the mail',
    like: 'Welcome to Planet.\nEnter this code: PLANET',
    applies: ({ candidate, index, part, context }) => {
      const others = [context.subject, ...part.lines.toSpliced(index, 1)].join('\n')
      return candidate.kind === 'word' && others.toLowerCase().includes(candidate.value.toLowerCase())
    },
  },
  { name: 'of a meeting', like: 'Meeting ID: 812 3456 7890\nPasscode: 481516', applies: isMeetingNear },
  { name: 'told to somebody', like: 'Give the courier this code: 4815', applies: isToldNear },
]

/** The same number elsewhere in the mail is no code, either. */
function isStolen({ candidate, after, context }: Spot): boolean {
  if (context.words.cardsAfter.test(after)) context.stolen.add(candidate.value)
  return context.stolen.has(candidate.value)
}
