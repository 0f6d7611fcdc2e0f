/**
 * A list of words: sources of regular expressions with a `|` or a line break between them. A line that begins with `|` goes on with the
 * one before; a blank at the end of a line is `[ ]`.
 */
export function words({ raw }: TemplateStringsArray): string[] {
  return raw
    .join('')
    .replace(/\n\s*(?=\|)/g, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}

/**
 * What the search for one-time codes has to know of a language. Every field is a list of words, matched without regard to case; none may
 * nest one repetition in another over the same characters, so that the work stays linear in the text. To add a language: write a file like
 * `languages/nl.ts`, and name it in `code-words.ts`.
 */
export type CodeLanguage = {
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
  /** `to the courier`, `show the code`: a number that the reader tells or shows somebody. They begin a word. */
  readonly told: readonly string[]
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
  /** `scam`: a sentence that warns names no code of the reader. */
  readonly fraud: readonly string[]
  /** Bills, payments, orders and parcels: a bare word in a mail about them is the name of one of their numbers. They begin a word. */
  readonly bills: readonly string[]
  /** `never ask`: a sentence that names a code, but not the one of this mail. */
  readonly warns: readonly string[]
  /** `three-digit`: only then is a number of three digits a code. */
  readonly three: readonly string[]
  /** What the reader does with a code in such a mail: `authorise`. */
  readonly approves: readonly string[]
  /** Words of a link that confirms, activates or resets. */
  readonly confirms: readonly string[]
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
  readonly travel?: readonly string[]
  /** `and your card number`, behind a code: whoever wants both is a thief. Whole words at the beginning. */
  readonly cards?: readonly string[]
  /** The number of a meeting, whose passcode opens the meeting and no account. */
  readonly meetings?: readonly string[]
  /** What a machine's report says on the line of its codes. Whole words. */
  readonly reports?: readonly string[]
}
