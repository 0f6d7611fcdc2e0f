/** An invitation in the words of the page's language. Pure: no DOM. */
import { DAY_MS } from '#contract/limits.ts'
import type { EventTime } from '#reader/invitation/event-time.ts'
import type { Invitation } from '#reader/invitation/invitation.ts'
import type { Recurrence, Rule } from '#reader/invitation/recurrence.ts'
import type { MessageTexts } from '#web/texts/en/message.ts'

type InvitationTexts = MessageTexts['invitation']

/**
 * From when to when, in pieces that belong on one line each: in the reader's own zone, named; whole days as days; a time in an unknown zone
 * as it was written, with the zone's name.
 */
export function eventTimePieces(
  start: EventTime,
  end: EventTime | undefined,
  language: string,
  texts: InvitationTexts,
  timeZone?: string,
): string[] {
  if (start.kind === 'day') {
    // The end of whole days is the first day after them.
    const days = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' })
    return [...range(days, start.at, end && end.at - DAY_MS), `· ${texts.allDay}`]
  }
  const zone = start.kind === 'local' ? 'UTC' : timeZone
  const format = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(start.kind === 'moment' ? { timeZoneName: 'short' } : {}),
    ...(zone === undefined ? {} : { timeZone: zone }),
  })
  const shown = range(format, start.at, end?.at)
  if (start.kind === 'moment') return shown
  return [...shown, `· ${start.zone === '' ? texts.noZone : texts.elsewhere({ zone: start.zone })}`]
}

/** The common day and the hours, or the two ends, each with what separates them. */
function range(format: Intl.DateTimeFormat, start: number, end: number | undefined): string[] {
  if (end === undefined || end <= start) return [format.format(start)]
  const parts = format.formatRangeToParts(start, end)
  const text = (from: number, to?: number) =>
    parts
      .slice(from, to)
      .map(({ value }) => value)
      .join('')
      .trim()
  const begin = parts.findIndex(({ source }) => source === 'startRange')
  const rest = parts.findIndex(({ source }) => source === 'endRange')
  const cut = begin > 0 ? begin : rest
  return cut > 0 ? [text(0, cut), text(cut)] : [text(0)]
}

/** When it repeats. Days are those of the reader's zone, as the times beside them are. */
export function recurrenceSentence(
  { rule, skippedDates, addedDates, changedDates }: Recurrence,
  start: EventTime,
  language: string,
  { repeats }: InvitationTexts,
  timeZone?: string,
): string {
  const shift = start.kind === 'moment' ? daysBetween(start, timeZone) : 0
  const said = typeof rule === 'object' ? ruleWords(rule, shift, language, repeats) : undefined
  const words = [
    said ?? (rule === undefined ? repeats.listed : repeats.otherwise),
    typeof rule === 'object' && rule.until !== undefined && repeats.until({ date: longDate(rule.until + shift * DAY_MS, language) }),
    typeof rule === 'object' && rule.count !== undefined && repeats.times({ count: rule.count }),
    skippedDates > 0 && repeats.skipped({ count: skippedDates }),
    addedDates > 0 && repeats.added({ count: addedDates }),
    changedDates > 0 && repeats.changed({ count: changedDates }),
  ]
  return words.filter(Boolean).join(', ')
}

/** 1 if the reader's calendar already shows the day after that of the event's own zone, -1 if it still shows the one before. */
function daysBetween({ at, wall }: { readonly at: number; readonly wall: number }, timeZone: string | undefined): number {
  const format = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'numeric', day: 'numeric', ...(timeZone && { timeZone }) })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const day = Date.UTC(parts.get('year') ?? 0, (parts.get('month') ?? 1) - 1, parts.get('day'))
  return (day - Math.floor(wall / DAY_MS) * DAY_MS) / DAY_MS
}

/** `undefined` if the rule names days of the month that are others in the reader's zone. */
function ruleWords({ unit, interval, on }: Rule, shift: number, language: string, words: InvitationTexts['repeats']): string | undefined {
  const every = words[unit]({ interval })
  if (!on) return every
  if (on.kind === 'weekdays') {
    const names = on.weekdays
      .map(weekday => (weekday + shift + 7) % 7)
      .map(weekday => words.weekday({ name: weekdayName(weekday, language) }))
    return `${every} ${words.onWeekdays({ weekdays: new Intl.ListFormat(language).format(names) })}`
  }
  if (shift !== 0) return undefined
  if (on.kind === 'day') return `${every} ${words.onDay(on)}`
  return `${every} ${words.onPosition({ position: on.position, weekday: weekdayName(on.weekday, language) })}`
}

/** 4 January 1970 was a Sunday. */
function weekdayName(weekday: number, language: string): string {
  return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format((3 + weekday) * DAY_MS)
}

function longDate(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}

/** What the file is for, if it is no event to go to. */
export function purpose({ act, events: [event] }: Invitation, texts: InvitationTexts): string | undefined {
  const { name = '', reply = '' } = event?.attendee ?? {}
  if (act === 'reply') return replyText(reply, name, texts.reply)
  if (act === 'counter') return texts.counter({ name })
  if (act === 'declinecounter') return texts.declinecounter
  if (act === 'refresh') return texts.refresh
  return act === 'add' ? texts.moreDates : undefined
}

function replyText(reply: string, name: string, texts: InvitationTexts['reply']): string {
  if (reply === 'accepted' || reply === 'declined' || reply === 'tentative') return texts[reply]({ name })
  return texts.other({ name })
}
