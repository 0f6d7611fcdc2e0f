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
 * The words of a language that the search for confirmation links knows. Every field is a list of sources of regular expressions, matched
 * without regard to case. The lines of a list are joined by `|`, so a long group may go on in the next line. No source may nest one
 * repetition in another over the same characters, so that the work stays linear in the text. To add a language: write a file like
 * `nl.json`, and name it below.
 */
type Language = {
  /** Whether its words are set apart by spaces. Where they are not, no word is asked to be a whole one. Default: true. */
  readonly hasSpaces?: boolean
  /** Words of shops: a link of a mail that sells something confirms nothing. */
  readonly shop: readonly string[]
  /** Bills, payments, orders and parcels. They begin a word. */
  readonly bills: readonly string[]
  /** `confirmation`: in the subject of a bill it says that nothing is left to confirm. */
  readonly confirmed: readonly string[]
  /** "Authorise": what a link of such a mail does. */
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
  /** Beginnings of `confirmation`: what hotels and airlines call the name of a booking, too. */
  readonly confirmation: readonly string[]
  /** Beginnings of `activation`, `verification`: nouns and participles, which alone may say that something was confirmed. */
  readonly activation: readonly string[]
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
export const OTHER_SCRIPT = /[\u0370-\u06ff\u0900-\u10ff\u3040-\ud7ff]/

/** The source of a pattern that finds any word of these fields; empty where they have none. */
export function sourceOf(languages: readonly Words[], fields: readonly WordField[]): string {
  const lists = languages.flatMap(language => fields.map(field => (language[field] ?? []).join('|')))
  return anyOf(lists.filter(list => list !== '').flatMap(alternativesOf))
}
