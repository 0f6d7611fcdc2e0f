import { expect, test } from 'vitest'
import { HealthWatch, type KnownHealth, omitKnown, takesMail } from './health-watch.ts'
import type { StoreHealth, StoreProblem } from './store.ts'

const HEALTHY: StoreHealth = { ok: true, isFull: false, mailboxes: 3, bytesOnDisk: 10, roomBytes: 100, capacityBytes: 110 }
const awayAt = (where: readonly string[]): StoreProblem => ({ kind: 'away', where, fact: '', remedy: '' })

test('a busy store reports its last check, and one that does not respond at all is unhealthy', async () => {
  const answers: (() => Promise<StoreHealth>)[] = [async () => HEALTHY]
  const stuck = Promise.withResolvers<StoreHealth>()
  let looks = 0
  const health = () => {
    looks += 1
    return answers.shift()?.() ?? stuck.promise
  }
  const told: boolean[] = []
  const onChange = ({ ok }: KnownHealth) => void told.push(ok)
  await using watch = await HealthWatch.start({ health }, { checkMs: 5, stuckMs: 300, onChange })
  await expect.poll(() => looks).toBe(2)
  expect(watch.latest).toBe(HEALTHY)
  await expect.poll(() => watch.latest.ok).toBe(false)
  expect(looks).toBe(2)
  await expect.poll(() => told).toEqual([false])
  stuck.resolve(HEALTHY)
  await expect.poll(() => watch.latest.ok).toBe(true)
  expect(told).toEqual([false, true])
})

test('a failing store is unhealthy', async () => {
  await using watch = await HealthWatch.start({ health: () => Promise.reject(new Error('closed')) }, { checkMs: 5 })
  expect(watch.latest.ok).toBe(false)
})

test('one slow check is no failure to tell of, two in a row are, and so is the recovery', async () => {
  const failing = async () => ({ ...HEALTHY, ok: false })
  const checks = [async () => HEALTHY, failing, async () => HEALTHY, failing, failing, failing]
  const told: boolean[] = []
  const health = () => checks.shift()?.() ?? Promise.resolve(HEALTHY)
  await using _watch = await HealthWatch.start({ health }, { checkMs: 5, onChange: ({ ok }) => void told.push(ok) })
  await expect.poll(() => checks.length === 0 && told).toEqual([false, true])
})

test('one slow shard is no failure to tell of either', async () => {
  const away = (...where: string[]) => ({ ...HEALTHY, problems: where.length > 0 ? [awayAt(where)] : [] })
  const checks = [away(), away('a'), away(), away('a'), away('a'), away('b'), away('b', 'c'), away('b', 'c')]
  const told: string[] = []
  const health = async () => checks.shift() ?? away()
  const onChange = (now: KnownHealth, before: KnownHealth) => {
    const list = ({ problems = [] }: Pick<KnownHealth, 'problems'>) => problems.map(({ where }) => where).join()
    told.push(`${list(before)} > ${list(now)}, new: ${list({ problems: omitKnown(now.problems, before.problems) })}`)
  }
  await using _watch = await HealthWatch.start({ health }, { checkMs: 5, onChange })
  await expect
    .poll(() => checks.length === 0 && told)
    // Where another takes the place of the first, mail is not taken in between.
    .toEqual([' > a, new: a', 'a > b, new: b', 'b > b,c, new: b,c', 'b,c > , new: '])
})

test('a problem that spreads or shrinks never counts as solved meanwhile', async () => {
  const at = (...where: string[]) => ({ ...HEALTHY, problems: where.length > 0 ? [awayAt(where)] : [] })
  const checks = [at(), at('a'), at('a'), at('a', 'b'), at('a', 'b', 'c'), at('a', 'b', 'c'), at('b'), at('b', 'd'), at('b', 'd')]
  const told: string[] = []
  const onChange = ({ problems = [] }: KnownHealth) => void told.push(problems.map(({ where }) => where.join()).join(' and '))
  await using _watch = await HealthWatch.start({ health: async () => checks.shift() ?? at() }, { checkMs: 5, onChange })
  await expect.poll(() => checks.length === 0 && told).toEqual(['a', 'a,b', 'a,b,c', 'b', 'b,d', ''])
})

test('the same reading twice is not two in a row', async () => {
  const reading = () => ({ ...HEALTHY, problems: [{ kind: 'alone', where: ['a'], fact: '', remedy: '' }] as const })
  const [first, second] = [reading(), reading()]
  const checks = [first, first, first, HEALTHY, HEALTHY, second]
  const told: number[] = []
  const onChange = ({ problems = [] }: KnownHealth) => void told.push(problems.length)
  await using _watch = await HealthWatch.start({ health: async () => checks.shift() ?? HEALTHY }, { checkMs: 5, onChange })
  await expect.poll(() => checks.length).toBe(0)
  expect(told).toEqual([])
})

test('the end of a problem is told once each of its nodes has been seen without it for a while', async () => {
  const alone = (...where: string[]): StoreProblem[] => (where.length > 0 ? [{ kind: 'alone', where, fact: '', remedy: '' }] : [])
  const at = (where: string[], unsure: string[] = []) => ({ ...HEALTHY, problems: alone(...where), unsure })
  const checks = [at(['a', 'b']), at(['a', 'b']), at(['b'], ['a']), at([], ['a']), at([]), at(['b'], ['a']), at([], ['a', 'b'])]
  const failed = Array.from({ length: 12 }, () => undefined)
  const all = [...checks, ...failed, at([])]
  const ends: [kind: string, checksLeft: number][] = []
  const onEnd = (kind: string) => void ends.push([kind, all.length])
  const health = async () => {
    if (all.length === 0) return at([])
    const next = all.shift()
    if (!next) throw new Error('no reply')
    return next
  }
  // A check that comes late under load must not look like a second of well-being.
  await using _watch = await HealthWatch.start({ health }, { checkMs: 100, wellMs: 1000, onEnd })
  await expect.poll(() => ends).toEqual([['alone', 0]])
})

test('an end is held back while anything is refused, though not for long, and another cause is told at once meanwhile', async () => {
  const away = (fact: string): StoreProblem => ({ kind: 'away', where: ['a'], fact, remedy: '', isSure: true })
  const refusing = (...problems: StoreProblem[]) => ({ ...HEALTHY, calmMs: 0, problems })
  const told: string[] = []
  const onChange = (now: KnownHealth, before: KnownHealth) => {
    for (const { fact } of omitKnown(now.problems, before.problems)) told.push(fact)
    if (takesMail(now) && !takesMail(before)) told.push('over')
  }
  const checks = [away('no reply within 500 ms'), undefined, away('no reply within 2500 ms'), undefined, away('refused'), undefined]
  const health = async () => {
    const problem = checks.shift()
    return refusing(...(problem ? [problem] : []))
  }
  await using _watch = await HealthWatch.start({ health }, { checkMs: 5, wellMs: 500, onChange })
  await expect.poll(() => told.length).toBe(3)
  expect(told).toEqual(['no reply within 500 ms', 'refused', 'over'])
})
