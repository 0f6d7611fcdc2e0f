/** A flame graph as SVG: each frame has the width of its share of the samples, above its caller. */

export type Frame = { readonly name: string; samples: number; readonly children: Map<string, Frame> }

const WIDTH = 1200
const ROW = 15
/** Narrower frames are left out together with what they call. They cannot be read, and would be most of the file. */
const WIDTH_MIN = 2.4
const CHAR_WIDTH = 6.2
const NAME_CHARS_MAX = 60

export function newFrame(name: string): Frame {
  return { name, samples: 0, children: new Map() }
}

/** `stack` starts with the outermost frame. */
export function addStack(root: Frame, stack: readonly string[]): void {
  root.samples++
  let frame = root
  for (const name of stack) {
    const next = frame.children.get(name) ?? newFrame(name)
    frame.children.set(name, next)
    next.samples++
    frame = next
  }
}

export function toSvg(root: Frame): string {
  const shapes: string[] = []
  let depthMax = 0
  const draw = (frame: Frame, x: number, depth: number) => {
    const width = (WIDTH * frame.samples) / root.samples
    if (width < WIDTH_MIN) return
    depthMax = Math.max(depthMax, depth)
    shapes.push(shape({ frame, x, depth, width }, root.samples))
    let at = x
    for (const child of [...frame.children.values()].sort((a, b) => b.samples - a.samples)) {
      draw(child, at, depth + 1)
      at += (WIDTH * child.samples) / root.samples
    }
  }
  draw(root, 0, 0)
  const height = (depthMax + 1) * ROW
  // Turned around, so that callers are below.
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 ${-height} ${WIDTH} ${height}" font-family="sans-serif" font-size="10">`
  return `${head}<title>Flame graph of processor time</title><rect y="${-height}" width="${WIDTH}" height="${height}" fill="#fff"/>${shapes.join('')}</svg>\n`
}

type Shape = { readonly frame: Frame; readonly x: number; readonly depth: number; readonly width: number }

function shape({ frame, x, depth, width }: Shape, all: number): string {
  const y = -(depth + 1) * ROW
  const name = escapeXml(frame.name.slice(0, NAME_CHARS_MAX))
  const label = name.length * CHAR_WIDTH < width ? name : escapeXml(frame.name.slice(0, Math.max(0, Math.floor(width / CHAR_WIDTH) - 1)))
  const text = label.length > 1 ? `<text x="${round(x + 2)}" y="${y + 11}">${label}</text>` : ''
  const title = `<title>${name} ${((100 * frame.samples) / all).toFixed(1)} %</title>`
  return `<g>${title}<rect x="${round(x)}" y="${y}" width="${round(width)}" height="14" fill="${colour(frame.name)}"/>${text}</g>`
}

/** JavaScript has a file name; V8, Node and libraries are C++; the rest is the kernel. */
function colour(name: string): string {
  if (/\.(js|ts):\d+$/.test(name) || name.startsWith('node:')) return '#9ed5a0'
  if (/^(?:v8::|node::|Builtins_|uv_|sqlite3|ossl_|EVP_)/.test(name)) return '#f3c98b'
  return '#b9c8e6'
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
