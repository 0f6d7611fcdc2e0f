import { nameParts } from '#web/lib/name-parts.ts'

/** `!important` in the attribute outranks every rule the mail can write. */
const MARK_STYLE =
  'all: initial !important; display: inline-block !important; font: 600 12px/1.4 "Instrument Sans", system-ui, sans-serif !important; ' +
  'padding: 0 4px !important; margin: 0 2px 0 6px !important; color-scheme: inherit !important; border-radius: 3px !important; overflow-wrap: anywhere !important; ' +
  'direction: ltr !important; unicode-bidi: isolate !important; max-width: calc(100% - 12px) !important'
const MARK_PART_STYLE =
  'all: unset !important; display: inline-block !important; direction: ltr !important; unicode-bidi: isolate !important; ' +
  'max-width: 100% !important'
const ALARM_COLORS = 'color: light-dark(#8a1c13, #ffb4a8) !important; background: light-dark(#fdecea, #45170f) !important'
const CALM_COLORS = 'color: light-dark(#3d4351, #d3d6de) !important; background: light-dark(#eceae4, #2a2f3a) !important'

/** Where a link leads, written behind it. It wraps as hosts do on the page: see web/lib/name-parts.ts. */
export function flagMark(mailDocument: Document, host: string, isAlarm: boolean): HTMLElement {
  const box = (style: string, ...content: (Node | string)[]) => {
    const span = mailDocument.createElement('span')
    span.setAttribute('style', style)
    span.append(...content)
    return span
  }
  const parts = nameParts(`→\u00a0${host}`).map(part => box(MARK_PART_STYLE, part))
  const name = parts.reduceRight((rest, part) => box(MARK_PART_STYLE, part, rest))
  return box(`${MARK_STYLE}; ${isAlarm ? ALARM_COLORS : CALM_COLORS}`, name)
}
