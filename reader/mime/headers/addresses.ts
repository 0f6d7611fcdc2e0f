import { withRawJapanese } from '../charsets/charset.ts'
import { toPrintableLine } from '../text/printable.ts'
import type { MailAddress } from '../types.ts'
import { decodeWords, WordScanner } from './encoded-words.ts'

// A To: field of 2 MiB holds 100,000 addresses; nobody reads them.
const ADDRESSES_MAX = 1000
/** Addresses, names and group names that are looked at. Real lists have one for each address. */
const PHRASES_MAX = 4 * ADDRESSES_MAX
/** Between a quoted local part and its `@`. */
const SPACES_MAX = 10
/** Limit of a name that continues after a comma. */
const NAME_CHARS_MAX = 1000

/** Runs of characters that have no meaning where they stand. An encoded-word starts with `=?`. */
const PLAIN = { inName: /(?:[^"(<,;:=]|=(?!\?))+/y, inAddress: /(?:[^"(<,;=]|=(?!\?))+/y, afterAddress: /(?:[^"(<,;>=]|=(?!\?))+/y }

/**
 * Parses the mailboxes of an address list (RFC 5322 §3.4) and flattens groups. Encoded-words are decoded only after the structure is known,
 * and in an address only to a plain local part, so `=?utf-8?q?boss=40bank=2Etest=2C?= <x@y>` cannot add an address or a second mailbox.
 * Text without an @ is a name and belongs to the following address in brackets: many display names contain an unquoted comma
 * (`Doe, Jane <jane@x.test>`).
 */
export const parseAddresses = (field: string): MailAddress[] => new AddressList(field).read()

/** `Name,(<a@b.test>)`, which programs that send spam write. */
const BRACKETED_IN_COMMENT = /^([^@("]{0,1000})\(\s*<([^\s<>()",;@]{1,64}@[^\s<>()",;@]{1,255})>\s*\)\s*$/

/** Nearly every author: words, which may be quoted, and an address. The list would read the same, in ten times the time. */
const PLAIN_SENDER = /^(?:(?:("?)((?! )(?:[\w.-]| (?! ))+(?<! ))\1 )?<([\w.+-]+@[\w-]+(?:\.[\w-]+)+)>|([\w.+-]+@[\w-]+(?:\.[\w-]+)+))$/

/** The author: the address in brackets, because a display name may contain an address too. Both strings are empty if there is none. */
export function parseSender(field: string): MailAddress {
  const plain = PLAIN_SENDER.exec(field)
  if (plain) return { name: plain[2] ?? '', address: plain[3] ?? plain[4] ?? '' }
  const list = new AddressList(field.replace(BRACKETED_IN_COMMENT, '$1 <$2>'))
  const found = list.read()
  // The address in brackets may be in the part that was not read.
  const bare = list.isCut ? undefined : found.find(entry => entry.address !== '')
  const { name, address } = list.firstInBrackets ??
    bare ?? { name: found[0]?.name ?? '', address: list.isCut ? '' : (found[0]?.address ?? '') }
  return { name: withoutSeparators(name).replace(/^[,;\s]+/, ''), address: address.replace(/^mailto:/i, '') }
}

/** Without those at its end. A pattern would begin again at each of a long run that is not at the end. */
function withoutSeparators(name: string): string {
  let end = name.length
  while (end > 0 && /[,;\s]/.test(name.charAt(end - 1))) end--
  return name.slice(0, end)
}

class AddressList {
  readonly #text: string
  readonly #words: WordScanner
  readonly #found: MailAddress[] = []
  #at = 0
  #phrases = 0
  #phrase = ''
  /** The phrase without what is quoted, if anything is: an address in a quoted name is not the sender's. */
  #unquoted: string | undefined
  #phraseHasAt = false
  /** Text before a comma that is not an address: the start of the next name. */
  #nameBefore = ''
  #isInGroup = false
  /** The words before the colon, and how many addresses were found before it. */
  #group = { name: '', start: 0 }
  firstInBrackets: MailAddress | undefined
  #comment = ''
  #angle: string | undefined

  constructor(field: string) {
    this.#text = hasOneAt(field) ? withRawJapanese(field) : field
    this.#words = new WordScanner(this.#text)
  }

  /** The field has more than is read of it. */
  get isCut(): boolean {
    return this.#at < this.#text.length
  }

  read(): MailAddress[] {
    while (this.isCut && this.#found.length < ADDRESSES_MAX && this.#phrases < PHRASES_MAX) this.#step(this.#text[this.#at] ?? '')
    this.#finish()
    this.#addNameBefore()
    if (this.#isInGroup) this.#ungroup()
    return this.#found.slice(0, ADDRESSES_MAX)
  }

  #step(char: string): void {
    if (char === '"') this.#addQuoted()
    else if (char === '(') this.#addComment()
    else if (char === '<') this.#angleAddress()
    else if (char === ',' || char === ';') this.#next(char)
    else if (char === '>' && this.#angle !== undefined) this.#at++
    else if (char === ':' && this.#angle === undefined && !this.#phraseHasAt) this.#startGroup()
    else {
      const text = char === '=' && this.#text[this.#at + 1] === '?' ? this.#atom(char) : this.#take(this.#plainText()) || this.#atom(char)
      // checked here and not on the whole phrase, which grows with every step
      this.#phraseHasAt ||= text.includes('@')
      this.#phrase += text
      // a second long text of many pieces would take as long as the first
      if (this.#unquoted !== undefined) this.#unquoted += text
    }
  }

  /** What may follow here without meaning anything: a `>` that closes nothing and a colon that starts no group are text too. */
  #plainText(): RegExp {
    if (this.#angle !== undefined) return PLAIN.afterAddress
    return this.#phraseHasAt ? PLAIN.inAddress : PLAIN.inName
  }

  /** The text that `pattern` matches here, read at once: a field of 120 kB taken by the character costs ten times as much. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const text = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += text.length
    return text
  }

  #next(separator: string): void {
    this.#at++
    this.#finish(separator)
    if (separator === ';' && this.#isInGroup) {
      this.#addNameBefore()
      this.#isInGroup = false
    }
  }

  #startGroup(): void {
    this.#at++
    this.#phrases++
    const name = decodeName(this.#phrase)
    this.#clear()
    this.#addNameBefore()
    this.#group = { name, start: this.#found.length }
    this.#isInGroup = true
  }

  /** A group ends with a semicolon. Without one the colon was part of a name (`Netflix: Support <a@b.test>`). */
  #ungroup(): void {
    const { name: groupName, start } = this.#group
    const first = this.#found[start]
    if (first === undefined || groupName === '') return
    const named = { ...first, name: first.name === '' ? groupName : `${groupName}: ${first.name}` }
    this.#found[start] = named
    if (this.firstInBrackets === first) this.firstInBrackets = named
  }

  #addQuoted(): void {
    const text = this.#quoted()
    this.#unquoted = (this.#unquoted ?? this.#phrase) + (text.startsWith('"') ? text : ' ')
    this.#phrase += text
  }

  #finish(separator = ''): void {
    if (this.#phrase === '' && this.#comment === '' && this.#angle === undefined) return
    this.#phrases++
    const { name, address } =
      this.#angle === undefined
        ? bareAddress(this.#phrase, this.#unquoted, this.#comment)
        : namedAddress(this.#phrase, this.#comment, this.#angle)
    if (address !== '' && this.#angle !== undefined) {
      const found = { name: this.#nameBefore + name, address }
      this.#nameBefore = ''
      this.#found.push(found)
      this.firstInBrackets ??= found
    } else if (address !== '' || this.#angle !== undefined) {
      this.#addNameBefore()
      if (name !== '' || address !== '') this.#found.push({ name, address })
    } else if (name !== '' && this.#nameBefore.length < NAME_CHARS_MAX) this.#nameBefore += name + (separator === '' ? '' : `${separator} `)
    this.#clear()
  }

  #clear(): void {
    this.#phrase = ''
    this.#unquoted = undefined
    this.#phraseHasAt = false
    this.#comment = ''
    this.#angle = undefined
  }

  /** A name without an address in brackets, such as in a bounce that only says who sent it. */
  #addNameBefore(): void {
    const name = withoutSeparators(this.#nameBefore)
    if (name !== '') this.#found.push({ name, address: '' })
    this.#nameBefore = ''
  }

  /** One character, or a whole encoded-word: its commas and brackets are not structure, though RFC 2047 §5 forbids them there. */
  #atom(char: string): string {
    if (char === '=') {
      const word = this.#words.at(this.#at)
      if (word && word.end > this.#at && !/\s/.test(word.text)) {
        const text = this.#text.slice(this.#at, word.end)
        this.#at = word.end
        return text
      }
    }
    this.#at++
    return char
  }

  /** A quoted string. Quotes are kept around the local part of an address (`"a b"@example.com`). */
  #quoted(): string {
    const start = this.#at++
    let content = ''
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      if (this.#text[this.#at] === '\\') this.#at++
      content += this.#text[this.#at++] ?? ''
    }
    this.#at++
    const end = this.#at
    const next = this.#text.slice(end, end + SPACES_MAX).trimStart()[0]
    return next === '@' ? this.#text.slice(start, end) : content
  }

  /** The first comment is the name; later ones are skipped. */
  #addComment(): void {
    const comment = this.#parentheses()
    this.#comment ||= comment
  }

  #parentheses(): string {
    let depth = 0
    let content = ''
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at++] ?? ''
      if (char === ')' && --depth === 0) return content
      if (char === '\\') content += this.#text[this.#at++] ?? ''
      else if (char !== '(' || depth++ > 0) content += char
    }
    return content
  }

  #angleAddress(): void {
    this.#at++
    let content = ''
    const hasRoute = this.#text[this.#at] === '@'
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? ''
      if (char === '>' || (char === ',' && !hasRoute && !this.#isCommaForDot()) || (char === '<' && content !== '')) break
      if (char === '"') content += this.#quotedAsSent()
      else if (char === '(') this.#parentheses()
      else {
        content += char === '<' ? '' : char
        this.#at++
      }
    }
    if (this.#text[this.#at] === '>') this.#at++
    // `<b@x> <c@y>`: the first counts, as for From fields
    this.#angle ??= content
  }

  /** `<a@b,com>`: a comma typed for the dot, and nothing else before the bracket closes. */
  #isCommaForDot(): boolean {
    COMMA_FOR_DOT.lastIndex = this.#at
    return COMMA_FOR_DOT.test(this.#text)
  }

  #quotedAsSent(): string {
    const start = this.#at
    this.#quoted()
    return this.#text.slice(start, this.#at)
  }
}

/**
 * The escapes of raw ISO-2022-JP contain the bracket that opens a comment. Only with a single @ can software that checks the sender, and
 * reads a comment there, not find another address than the reader sees.
 */
function hasOneAt(field: string): boolean {
  const at = field.indexOf('@')
  return at !== -1 && !field.includes('@', at + 1)
}

function namedAddress(phrase: string, comment: string, angle: string): MailAddress {
  const address = withoutRoute(angle)
  const name = decodeName(phrase) || decodeName(comment)
  return address.includes('@') ? { name, address } : { name: name || decodeName(address), address: '' }
}

const COMMA_FOR_DOT = /,[a-z]{2,10}\s*>/iy

/** A quoted string is part of a word. One that is not closed reaches to the end: read from each quote in it, it would cost the square. */
const WORD = /(?:"(?:\\.|[^"\\])*"|[^\s"]+)+|("(?:\\.|[^"\\])*\\?$)/gs

/** Quotes that are left are around a local part or were escaped in a name. Those that close nothing only separate words. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(WORD)].flatMap(([word, unclosed]) => unclosed?.split(/[\s"]+/).filter(part => part !== '') ?? word)
}

/** `=?` alone may occur in an address. */
const ENCODED = /=\?[^?\s]{1,64}\?[bq]\?/i

/** Without brackets, the word with the @ is the address and the rest is the name. A quoted word only if no other is one. */
function bareAddress(phrase: string, unquoted: string | undefined, comment: string): MailAddress {
  const text = withoutObsoleteSpace(phrase.trim())
  const word = (unquoted === undefined ? undefined : addressWord(withoutObsoleteSpace(unquoted))) ?? addressWord(text)
  if (word === undefined) {
    // `root (Charlie Root)`
    const named = comment !== '' && wordsOf(text).length === 1 ? comment : text
    return { name: decodeName(named) || decodeName(comment), address: '' }
  }
  const at = text.lastIndexOf(word)
  const others = `${text.slice(0, at)} ${text.slice(at + word.length)}`
  return { name: decodeName(others) || decodeName(comment), address: withoutRoute(word.replace(/^<+|(?<!>)>+$/g, '')) }
}

/** An address as RFC 5322 §4.4 still reads it, `a @ x . test`. A domain without a dot may be a part of a name (`Deals @ Shop`). */
const SPACED_DOMAIN = / ?@ ?([^\s@.]{1,63}(?:(?: ?\.| \. )[^\s@.]{1,63})+)/g

function withoutObsoleteSpace(phrase: string): string {
  if (!phrase.includes('@') || !/\s/.test(phrase)) return phrase
  return changeUnquoted(phrase, part =>
    part
      .replace(/\s+/g, ' ')
      .replace(/(?<=[^\s.]) \. (?=[^\s.])/g, '.')
      .replace(SPACED_DOMAIN, (_, domain: string) => `@${domain.replaceAll(' ', '')}`),
  )
}

/** Leaves quoted strings as they are, and text that is too long to be an address. */
function changeUnquoted(text: string, change: (part: string) => string): string {
  if (text.length > NAME_CHARS_MAX) return text
  return text.replace(/"(?:\\.|[^"\\])*"|[^"]+/g, part => (part.startsWith('"') ? part : change(part)))
}

function addressWord(text: string): string | undefined {
  if (!text.includes('@')) return undefined
  return wordsOf(text).find(word => /[^@]@[^@]/.test(word) && !ENCODED.test(withLocalPart(word)))
}

/** A decoded local part that needs no quotes. Any other keeps its coded form: a decoded `@` or space would make another address of it. */
const LOCAL_PART = /^[^\s\p{C}"(),:;<>@[\]\\]+$/u

/** The address with its local part decoded: some programs write `=?utf-8?b?xb5vZmlh?=@x.test`, which RFC 2047 §5 forbids. */
function withLocalPart(address: string): string {
  const at = address.lastIndexOf('@')
  if (!ENCODED.test(address.slice(0, at))) return address
  const local = decodeWords(address.slice(0, at).replace(/^"(.*)"$/, '$1'))
  return LOCAL_PART.test(local) ? local + address.slice(at) : address
}

function decodeName(phrase: string): string {
  return decodeWords(phrase.trim())
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
}

/** Removes the source route of RFC 5321 §4.1.2 (`@a,@b:user@c`) and white space around the address and its parts. */
function withoutRoute(text: string): string {
  const address = text.trim().replace(/^@[^:]*:/, '')
  // RFC 5322 §4.4: `a @ x . test` is an address.
  const joined = changeUnquoted(address, part => part.replace(/[ \t]+/g, ' ').replace(/ ?([@.]) ?/g, '$1'))
  // Around the address, quotes and brackets are somebody's template.
  return toPrintableLine(withLocalPart(joined.trim().replace(/^'([^']*)'$|^\[([^[\]]*)\]$/, '$1$2')))
}
