import type { ContactMessage } from './contact-messages.ts'

const COLUMNS = ['id', 'received', 'name', 'email', 'subject', 'message', 'language', 'read', 'forwarded'] as const

/**
 * RFC 4180: CRLF line ends, every cell quoted. It starts with a UTF-8 byte order mark, without which Excel reads the file as Latin-1.
 * A cell that a spreadsheet would run as a formula gets an apostrophe in front: at the start of a cell, and inside it after a semicolon,
 * a tab or a line end, where a spreadsheet set to another separator would begin a cell. A list with dashes gets apostrophes too.
 */
export function contactCsv(messages: readonly ContactMessage[]): string {
  const rows = messages.map(message => [
    String(message.id),
    formatTime(message.received_at),
    message.name,
    message.email,
    message.subject,
    message.message,
    message.language,
    formatTime(message.read_at),
    formatTime(message.forwarded_at),
  ])
  return `\uFEFF${[COLUMNS, ...rows].map(row => `${row.map(cell).join(',')}\r\n`).join('')}`
}

/** What a spreadsheet takes for the start of a formula, in full width too; blanks and quotes before it are skipped. */
const FORMULA = /^([\s"]*)(?=[=+\-@|%＝＋－＠])/
/** Where Spanish and many other settings part cells and rows, whatever the quotes say; a comma is not among them, since ours stand in quotes. */
const AFTER_PART = /([;\t\r\n])([\s"]*)(?=[=+\-@|%＝＋－＠])/g

function cell(text: string): string {
  const isFormula = FORMULA.test(text) || /^[\t\r\n]/.test(text)
  const safe = `${isFormula ? "'" : ''}${text}`.replace(AFTER_PART, "$1$2'")
  return `"${safe.replaceAll('"', '""')}"`
}

function formatTime(millis: number | null): string {
  return millis === null ? '' : new Date(millis).toISOString()
}
