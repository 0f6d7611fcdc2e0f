import { printable } from '../text/printable.ts'
import type { MailAddress } from '../types.ts'
import { decodeWords, WordScanner } from './encoded-words.ts'

// A To: field of 2 MiB holds 100,000 addresses; nobody reads them.
const ADDRESSES_MAX = 1000

/**
 * The mailboxes of an address list (RFC 5322 §3.4), groups flattened. Encoded-words are decoded only after the structure is known and never
 * inside an address, so `=?utf-8?q?boss=40bank=2Etest=2C?= <x@y>` cannot make an address or a second mailbox.
 */
export function parseAddresses(field: string): MailAddress[] {
  return new AddressList(field).read()
}

class AddressList {
  readonly #text: string
  readonly #words: WordScanner
  readonly #found: MailAddress[] = []
  #at = 0
  #phrase = ''
  #comment = ''
  #angle: string | undefined

  constructor(field: string) {
    this.#text = field
    this.#words = new WordScanner(field)
  }

  read(): MailAddress[] {
    while (this.#at < this.#text.length && this.#found.length < ADDRESSES_MAX) this.#step(this.#text[this.#at] ?? '')
    this.#finish()
    return this.#found.slice(0, ADDRESSES_MAX)
  }

  #step(char: string): void {
    if (char === '"') this.#phrase += this.#quoted()
    else if (char === '(') this.#addComment()
    else if (char === '<') this.#angleAddress()
    else if (char === ',' || char === ';') this.#next()
    else if (char === ':' && this.#angle === undefined && !this.#phrase.includes('@')) this.#startGroup()
    else this.#phrase += this.#atom(char)
  }

  #next(): void {
    this.#at++
    this.#finish()
  }

  #startGroup(): void {
    this.#at++
    this.#phrase = ''
    this.#comment = ''
  }

  #finish(): void {
    const address =
      this.#angle === undefined ? bareAddress(this.#phrase, this.#comment) : namedAddress(this.#phrase, this.#comment, this.#angle)
    if (address.name !== '' || address.address !== '') this.#found.push(address)
    this.#phrase = ''
    this.#comment = ''
    this.#angle = undefined
  }

  /** One character, or a whole encoded-word: its commas and brackets are not structure, though RFC 2047 §5 forbids them there. */
  #atom(char: string): string {
    if (char === '=' && this.#text[this.#at + 1] === '?') {
      const word = this.#words.at(this.#at)
      if (word && !/\s/.test(word.text)) {
        const text = this.#text.slice(this.#at, word.end)
        this.#at = word.end
        return text
      }
    }
    this.#at++
    return char
  }

  /** A quoted string; it stays quoted where it is the local part of an address (`"a b"@example.com`). */
  #quoted(): string {
    const start = this.#at++
    let content = ''
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      if (this.#text[this.#at] === '\\') this.#at++
      content += this.#text[this.#at++] ?? ''
    }
    this.#at++
    return this.#text[this.#at] === '@' ? this.#text.slice(start, this.#at) : content
  }

  /** The first comment is the name; a later one is read past all the same. */
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
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? ''
      if (char === '>' || (char === ',' && !content.startsWith('@')) || char === '<') break
      if (char === '"') content += this.#quotedAsSent()
      else if (char === '(') this.#parentheses()
      else {
        content += char
        this.#at++
      }
    }
    if (this.#text[this.#at] === '>') this.#at++
    // `<b@x> <c@y>`: the first is the address, as the first From is the From
    this.#angle ??= content
  }

  #quotedAsSent(): string {
    const start = this.#at
    this.#quoted()
    return this.#text.slice(start, this.#at)
  }
}

function namedAddress(phrase: string, comment: string, angle: string): MailAddress {
  const name = nameOf(phrase) || nameOf(comment)
  return { name, address: addressOf(angle) }
}

/** Quotes stand here only in pairs, around a local part: the reader above took the others away. */
const WORD = /(?:"(?:\\.|[^"\\])*"|[^\s"])+/g

/** `=?` alone may stand in an address. */
const ENCODED = /=\?[^?\s]{1,64}\?[bq]\?/i

/** Without brackets: the word with the at sign is the address, the rest the name. A single word without one is a local user (`root`). */
function bareAddress(phrase: string, comment: string): MailAddress {
  const text = phrase.trim()
  const words = text.match(WORD) ?? []
  const index = words.findIndex(word => word.includes('@') && !ENCODED.test(word))
  if (index !== -1) {
    const others = words.toSpliced(index, 1).join(' ')
    return { name: nameOf(others) || nameOf(comment), address: addressOf(words[index] ?? '') }
  }
  if (words.length === 1 && !ENCODED.test(text)) return { name: nameOf(comment), address: addressOf(text) }
  return { name: nameOf(text) || nameOf(comment), address: '' }
}

function nameOf(phrase: string): string {
  return decodeWords(phrase.trim().replace(/\s+/g, ' ')).replace(/^(['"])(.*)\1$/, '$2')
}

/**
 * Without the source route of RFC 5321 §4.1.2 (`@a,@b:user@c`) and without white space around. White space inside stays, though RFC 5322 §4.4
 * would have `a@x.test .bank.test` be one domain: those who judge the sender read `x.test`, and the reader must not see another.
 */
function addressOf(text: string): string {
  return printable(text.trim().replace(/^@[^:]*:/, ''))
}
