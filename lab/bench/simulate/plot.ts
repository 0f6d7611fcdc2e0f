/** Plots a day: bars of text for a terminal, lines for a page. */
const BAR_CHARS = 60
const [WIDTH, HEIGHT, MARGIN] = [720, 240, 40]

/** One bar for each hour. */
export function drawText(values: readonly number[]): string {
  const most = Math.max(...values)
  return values
    .map((value, hour) => `${String(hour).padStart(2, '0')}:00 ${'█'.repeat(Math.round((value / most) * BAR_CHARS))} ${value.toFixed(0)}`)
    .join('\n')
}

type Hour = { readonly messagesPerSecond: number; readonly peakPerSecond: number }

/** Messages per second by hour, with the worst minute of each hour above it. */
export function drawSvg(hours: readonly Hour[]): string {
  const most = Math.max(...hours.map(({ peakPerSecond }) => peakPerSecond))
  const x = (hour: number) => MARGIN + (hour / (hours.length - 1)) * (WIDTH - 2 * MARGIN)
  const y = (value: number) => HEIGHT - MARGIN - (value / most) * (HEIGHT - 2 * MARGIN)
  const line = (of: (hour: Hour) => number) => hours.map((hour, n) => `${x(n).toFixed(1)},${y(of(hour)).toFixed(1)}`).join(' ')
  const labels = hours
    .map((_, n) => n)
    .filter(n => n % 3 === 0)
    .map(n => `<text x="${x(n).toFixed(1)}" y="${HEIGHT - MARGIN / 2}" text-anchor="middle">${n}:00</text>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="currentColor">
<text x="${MARGIN}" y="${MARGIN / 2}">messages a second: mean of each hour, and its worst minute (dashed, at most ${most.toFixed(0)})</text>
<polyline points="${line(({ messagesPerSecond }) => messagesPerSecond)}" fill="none" stroke="currentColor" stroke-width="2"/>
<polyline points="${line(({ peakPerSecond }) => peakPerSecond)}" fill="none" stroke="currentColor" stroke-dasharray="4 4"/>
${labels.join('\n')}
</svg>
`
}
