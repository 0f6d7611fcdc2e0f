// C0 and C1 controls and DEL, including TAB, CR and LF: a decoded header is one line (no injection into logs or replies).
const CONTROLS = /\p{Cc}+/gu
// They reverse letters (`moc.knab` is shown as bank.com), and no language needs them.
const OVERRIDES = /[\u202d\u202e]+/gu
const HAS_CONTROL = /[\p{Cc}\u202d\u202e]/u

/** One line of valid Unicode: runs of controls become a space, lone surrogates U+FFFD, characters that reverse others nothing. */
export function toPrintableLine(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed()
  return HAS_CONTROL.test(formed) ? formed.replace(OVERRIDES, '').replace(CONTROLS, ' ').trim() : formed
}
