/** The tab's icon while an address lives: a sun above water that sinks as time passes. */

/** The colours are those of styles.css for a disc of 16 px; the extension's icon has them too. */
export type SunsetColours = { readonly sky: string; readonly sun: string; readonly rest: string }
export const DAY: SunsetColours = { sky: '#fdeedd', sun: '#dd6d2c', rest: '#c9ccd3' }
/** The last half minute. */
export const LAST_SECONDS: SunsetColours = { sky: '#0e1116', sun: '#e5484d', rest: '#3a4150' }

let originalHref: string | undefined

/** `left` goes from 1 to 0; 1 restores the site's own icon. */
export function showSunsetIcon(left: number, isLastSeconds: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]')
  if (!link) return
  originalHref ??= link.href
  link.href = left >= 1 ? originalHref : `data:image/svg+xml,${encodeURIComponent(drawSunsetIcon(left, isLastSeconds))}`
}

/** Drawn for 16 px: a disc and a line. The background is round, so that it works on light and dark tabs. */
function drawSunsetIcon(left: number, isLastSeconds: boolean): string {
  const { sky, sun, rest } = isLastSeconds ? LAST_SECONDS : DAY
  const y = (9 + (1 - left) * 20).toFixed(1)
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><clipPath id="a"><path d="M0 0h32v22H0z"/></clipPath>' +
    `<rect width="32" height="32" rx="7" fill="${sky}"/><circle cx="16" cy="${y}" r="7" fill="${sun}" clip-path="url(#a)"/>` +
    `<path d="M4 23.5h24" stroke="${rest}" stroke-width="3"/><path d="M4 23.5h${(24 * left).toFixed(1)}" stroke="${sun}" stroke-width="3"/></svg>`
  )
}
