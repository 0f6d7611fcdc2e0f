/** A short run. `npm run lab -- fuzz-complexity SECONDS` tries random inputs for longer. */
import { expect, test } from 'vitest'
import { GRAMMARS } from './grammars.ts'
import { describeGrowth, measureGrowth } from './linear.ts'

test.each(GRAMMARS.map(grammar => [grammar.name, grammar] as const))(
  'the time to read %s grows linearly with their size',
  async (name, grammar) => {
    const growth = await measureGrowth(grammar)
    for (const one of growth) if (!one.isLinear) console.info(describeGrowth(name, one))
    const worst = growth.toSorted((a, b) => (b.leastMs.at(-1) ?? 0) - (a.leastMs.at(-1) ?? 0))[0]
    if (worst) console.info(`slowest of ${growth.length} shapes: ${describeGrowth(name, worst)}`)
    expect(growth.filter(({ isLinear }) => !isLinear).map(({ shape }) => shape)).toEqual([])
  },
  180_000,
)

test('the measurement detects quadratic time', async () => {
  const quadratic = (text: string) => {
    let found = 0
    for (let at = 0; at < text.length; at++) if (text.indexOf('b', at) !== -1) found++
    return found
  }
  const [growth] = await measureGrowth(
    { name: 'quadratic', read: quadratic, shapes: [{ name: 'a', make: size => 'a'.repeat(size) }] },
    8192,
  )
  expect(growth?.isLinear).toBe(false)
}, 180_000)
