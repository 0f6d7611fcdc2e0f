import type { ContactMessage } from './contact-messages.ts'

const COLUMNS = ['id', 'received', 'name', 'email', 'subject', 'message', 'language', 'read', 'forwarded'] as const

/**
 * RFC 4180: CRLF line ends, every cell quoted. It starts with a UTF-8 byte order mark, without which Excel reads the file as Latin-1.
 * A cell that a spreadsheet would take for a formula gets an apostrophe in front (case W30).
 */
export function contactCsv(messages: readonly ContactMessage[]): string {
  const rows = messages.map(message => [
    String(message.id),
    timeOf(message.received_at),
    message.name,
    message.email,
    message.subject,
    message.message,
    message.language,
    timeOf(message.read_at),
    timeOf(message.forwarded_at),
  ])
  return `\uFEFF${[COLUMNS, ...rows].map(row => `${row.map(cell).join(',')}\r\n`).join('')}`
}

function cell(text: string): string {
  // Spreadsheets skip leading blanks and full-width forms of the same signs count too.
  const safe = /^\s*[=+\-@\t\r\n|%＝＋－＠]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

function timeOf(millis: number | null): string {
  return millis === null ? '' : new Date(millis).toISOString()
}
