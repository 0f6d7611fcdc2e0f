/** Contact messages as a file for spreadsheets. */
import type { ContactMessage } from '#server/operator/operator-inbox.ts'
import { toIso } from '#server/platform/clock.ts'

const COLUMNS = ['id', 'received', 'name', 'email', 'subject', 'message', 'language', 'read', 'forwarded'] as const

/**
 * RFC 4180: CRLF line ends, every cell quoted. Starts with a UTF-8 byte order mark, or Excel would read Latin-1. Cells that a spreadsheet
 * would run as a formula get an apostrophe: at the start of a cell, and after a semicolon, tab or line end, where a spreadsheet with
 * another separator would start a cell. A list with dashes gets apostrophes too.
 */
export function contactCsv(messages: readonly ContactMessage[]): string {
  const rows = messages.map(message => [
    String(message.id),
    timeCell(message.received_at),
    message.name,
    message.email,
    message.subject,
    message.message,
    message.language,
    timeCell(message.read_at),
    timeCell(message.forwarded_at),
  ])
  return `\uFEFF${[COLUMNS, ...rows].map(row => `${row.map(cell).join(',')}\r\n`).join('')}`
}

/** A spreadsheet interprets these as the start of a formula, full-width characters too. Preceding spaces and quotes are skipped. */
const FORMULA = /^([\s"]*)(?=[=+\-@|%＝＋－＠])/
/** Where Spanish and other locales separate cells and rows, even inside quotes. Commas are safe inside our quotes. */
const AFTER_PART = /([;\t\r\n])([\s"]*)(?=[=+\-@|%＝＋－＠])/g

/** These would control a terminal, and are no text. */
const CONTROL = /[^\P{Cc}\t\r\n]/gu

function cell(text: string): string {
  const visible = text.replace(CONTROL, '\uFFFD')
  const isFormula = FORMULA.test(visible) || /^[\t\r\n]/.test(visible)
  const safe = `${isFormula ? "'" : ''}${visible}`.replace(AFTER_PART, "$1$2'")
  return `"${safe.replaceAll('"', '""')}"`
}

const timeCell = (millis: number | null): string => (millis === null ? '' : toIso(millis))
