/** `npm run lab -- fuzz-complexity [-- SECONDS [SEED]]`: searches for inputs whose cost grows faster than their size, 60 s by default. */
import { GRAMMARS, randomShape, WORDS } from '../../test/complexity/grammars.ts'
import { describeGrowth, measureGrowth } from '../../test/complexity/linear.ts'

const seconds = Number(process.argv[2] ?? 60)
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31))
const end = performance.now() + seconds * 1000
let state = seed
let shapes = 0

/** Mulberry32: the same seed gives the same inputs. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

while (performance.now() < end) {
  for (const grammar of GRAMMARS) {
    const [growth] = measureGrowth({ ...grammar, shapes: [randomShape(WORDS[grammar.name] ?? ['a'], random)] })
    shapes++
    if (!growth || growth.isLinear) continue
    console.error(describeGrowth(grammar.name, growth))
    process.exitCode = 1
  }
}
console.log(`seed ${seed}: ${shapes} shapes, ${process.exitCode ? 'some cost more than their size' : 'each costs as much as its size'}`)
