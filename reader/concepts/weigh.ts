/** Adds up what was learnt of each piece of evidence. */

/** The weights of evidence by its name. Each is written as its name, a colon and its number. */
export function toWeights(lines: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    lines
      .flatMap(line => line.split('; '))
      .map(each => [each.slice(0, each.lastIndexOf(':')), Number(each.slice(each.lastIndexOf(':') + 1))]),
  )
}

/** The logarithm of the odds that it is what is searched for, in hundredths. */
export function weigh(weights: ReadonlyMap<string, number>, collect: (add: (name: string, strength?: number) => void) => void): number {
  let sum = 0
  collect((name, strength = 1) => {
    sum += (weights.get(name) ?? 0) * strength
  })
  return sum
}
