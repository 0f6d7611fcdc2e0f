import { alternativesOf, anyOf } from './any-of.ts'
import ar from './ar.json' with { type: 'json' }
import cs from './cs.json' with { type: 'json' }
import da from './da.json' with { type: 'json' }
import de from './de.json' with { type: 'json' }
import el from './el.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fi from './fi.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import he from './he.json' with { type: 'json' }
import hi from './hi.json' with { type: 'json' }
import hu from './hu.json' with { type: 'json' }
import id from './id.json' with { type: 'json' }
import it from './it.json' with { type: 'json' }
import ja from './ja.json' with { type: 'json' }
import ko from './ko.json' with { type: 'json' }
import more from './more.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }
import nl from './nl.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import pt from './pt.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }
import ru from './ru.json' with { type: 'json' }
import sv from './sv.json' with { type: 'json' }
import tr from './tr.json' with { type: 'json' }
import uk from './uk.json' with { type: 'json' }
import vi from './vi.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/**
 * What the search for one-time codes and confirmation links has to know of a language. Every field is a list of sources of regular
 * expressions, matched without regard to case. The lines of a list are joined by `|`, so a long group may go on in the next line. No source
 * may nest one repetition in another over the same characters, so that the work stays linear in the text. To add a language: write a file
 * like `nl.json`, and name it below.
 */
type Language = {
  /** Whether its words are set apart by spaces. Where they are not, no word is asked to be a whole one. Default: true. */
  readonly hasSpaces?: boolean
  /** Cheap words: a mail without any of them has no code. An alternative with a lookbehind has it after its first word. */
  readonly hints: readonly string[]
  /** Names that only ever mean: prove that it is you. `verification code`. */
  readonly sure: readonly string[]
  /** Codes of something else, whose names contain a bare word: `discount code`. They are searched for first. */
  readonly other: readonly string[]
  /** `code`, which may be anything. Whole words. */
  readonly bare: readonly string[]
  /** Words of signing in and of proving who one is. Near them a bare word is trusted. */
  readonly identity: readonly string[]
  /** `your`, `this`, `following`: the line announces a code for the reader. Whole words. */
  readonly yours: readonly string[]
  /** `is`, between the name and the code. Whole words. */
  readonly is: readonly string[]
  /** `is your`, after the code. */
  readonly isYour: readonly string[]
  /** `enter`, right before the code. */
  readonly enter: readonly string[]
  /** `to`, right after the code that was to be entered. */
  readonly to: readonly string[]
  /** What it is entered for: `sign`. */
  readonly purposes: readonly string[]
  /** Words of shops. Letters and digits next to them are to buy with. */
  readonly shop: readonly string[]
  /** Names of numbers that are not codes. They count only right before the number. Whole words. */
  readonly labels: readonly string[]
  /** Numbers of files, cards, parcels and taxes: a bare word next to these is one of them. Whole words. */
  readonly files: readonly string[]
  /** What other numbers open: doors, lockers, networks. Whole words. */
  readonly doors: readonly string[]
  /** `pick it up`: what the reader does with an order whose code is for the counter. They begin a word. */
  readonly collects: readonly string[]
  /** `to the courier`, `show the code`: a number that the reader tells or shows somebody. They begin a word. */
  readonly told: readonly string[]
  /** `not`, `never`: such a sentence tells nobody to show a code. Whole words. */
  readonly negates: readonly string[]
  /** `type`, `paste`: what the reader does with a code. They begin a word. */
  readonly enters: readonly string[]
  /** `app`, `page`: where the reader does it. They begin a word. */
  readonly places: readonly string[]
  /** `digits`: what a mail asks to type that does not call it a code. They begin a word. */
  readonly digits: readonly string[]
  /** `number`, `digits`: what an app asks for. They begin a word. */
  readonly numbers: readonly string[]
  /** `asks`: the app asks for the number. They begin a word. */
  readonly asks: readonly string[]
  /** `has expired`, `no longer works`: the code of that sentence is useless. */
  readonly expired: readonly string[]
  /** `is a scam`: a sentence that warns names no code of the reader. */
  readonly fraud: readonly string[]
  /** Bills, payments, orders and parcels: a bare word in a mail about them is the name of one of their numbers. They begin a word. */
  readonly bills: readonly string[]
  /** `confirmation`: in the subject of a bill it says that nothing is left to confirm. */
  readonly confirmed: readonly string[]
  /** `never ask`: a sentence that names a code, but not the one of this mail. */
  readonly warns: readonly string[]
  /** `three-digit`: only then is a number of three digits a code. */
  readonly three: readonly string[]
  /** What the reader does with a code in such a mail: `authorise`. */
  readonly approves: readonly string[]
  /** Words of a link that confirms, activates or resets. */
  readonly confirms: readonly string[]
  /** `delete`: a link counts if the subject says it, too. They begin a word. */
  readonly deletes: readonly string[]
  /** `keep`, `cancel`, `will be deleted`: a sentence about what happens to somebody who does nothing, or the way back. */
  readonly keeps: readonly string[]
  /** Words of a link that signs in. Every account's mail has one, so it counts only if the mail is about that. */
  readonly signsIn: readonly string[]
  /** A subject that invites, and what the link of such a mail says. */
  readonly invites: readonly string[]
  readonly accepts: readonly string[]
  /** `click here`: a link whose sentence says what it does. */
  readonly here: readonly string[]
  /** Words of the links that almost every mail has: unsubscribe, help, terms, "this was not me". */
  readonly besides: readonly string[]
  /** Words of a subject that warns: no link of such a mail is offered. */
  readonly alerts: readonly string[]
  /** `ignore this mail`, `nothing happens`: only a mail that wants something confirmed has a reader who may do nothing. */
  readonly ignored: readonly string[]
  /** `the link is valid for`: it is followed once, and soon. */
  readonly lasts: readonly string[]
  /** `one more step`: what a mail says before its link completes something. */
  readonly nearlyDone: readonly string[]
  /** Flights, hotels and tickets. Whole words. */
  readonly travel: readonly string[]
  /** `and your card number`, behind a code: whoever wants both is a thief. Whole words at the beginning. */
  readonly cards: readonly string[]
  /** The number of a meeting, whose passcode opens the meeting and no account. */
  readonly meetings: readonly string[]
  /** What a machine's report says on the line of its codes. Whole words. */
  readonly reports: readonly string[]
  /** Beginnings of `confirmation`: what hotels and airlines call the name of a booking, too. */
  readonly confirmation: readonly string[]
  /** Beginnings of `activation`, `verification`: nouns and participles, which alone may say that something was confirmed. */
  readonly activation: readonly string[]
  /** Beginnings of `approval`: what the receipt of a card calls the number of its payment, too. */
  readonly approval: readonly string[]
  readonly link: readonly string[]
  /** `View in browser` */
  readonly browser: readonly string[]
  /** `yes`, `I want`, `count me in`: how a link begins that speaks for its reader. */
  readonly yes: readonly string[]
}

export type Words = Partial<Language>
export type WordField = Exclude<keyof Language, 'hasSpaces'>

/** `more.json` has words of links in languages without a file of their own. */
export const LATIN_SCRIPT: readonly Words[] = [more.latin, en, es, pt, fr, de, it, nl, pl, sv, da, nb, fi, cs, tr, ro, hu, id, vi]
export const OTHER_SCRIPTS: readonly Words[] = [more.other, more.unspaced, ru, uk, el, ja, zh, ko, ar, hi, he]
/** A letter of another script. */
export const OTHER_SCRIPT = /[\u0370-\u06ff\u0900-\u10ff\u3040-\ud7ff]/

/** The source of a pattern that finds any word of these fields; empty where they have none. */
export function sourceOf(languages: readonly Words[], fields: readonly WordField[]): string {
  const lists = languages.flatMap(language => fields.map(field => (language[field] ?? []).join('|')))
  return anyOf(lists.filter(list => list !== '').flatMap(alternativesOf))
}
