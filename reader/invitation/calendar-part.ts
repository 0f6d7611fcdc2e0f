/** Which part of a mail may be an invitation. Apart from the reading, so that the list of attachments does not load ical.js. */

/** An invitation has 2 to 30 kB. A larger file is somebody's whole calendar, or has attachments in it. */
export const CALENDAR_BYTES_MAX = 131_072

type Part = { readonly contentType: string; readonly filename: string }

/** Programs that do not know the type send the file as bytes. */
export function isCalendar({ contentType, filename }: Part): boolean {
  if (/^(?:text\/calendar|application\/ics)$/i.test(contentType)) return true
  return /^application\/octet-stream$/i.test(contentType) && /\.ics$/i.test(filename)
}

/**
 * The name under which a calendar file is saved. A file with an event in it may be a page or a program at the same time, and the system
 * chooses by the ending what opens it: it is `.ics`, whatever the sender called the file.
 */
export const calendarFilename = (filename: string): string => `${filename.replace(/\.ics$/i, '')}.ics`
