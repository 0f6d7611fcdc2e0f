import { expect, test } from 'vitest'
import { Deadlines, type JobLimits } from './deadlines.ts'

const CHECK_MS = 250
const JOB = { id: 1, bytes: [] }

/** A thread whose CPU time, half of it in the system, is `totalMs`. */
class MeasuredThread {
  totalMs = 0

  cpuUsage(since = { user: 0, system: 0 }): Promise<NodeJS.CpuUsage> {
    return Promise.resolve({ user: this.totalMs * 500 - since.user, system: this.totalMs * 500 - since.system })
  }
}

test.each<[title: string, limits: JobLimits, cpuMsAtChecks: number[], over: boolean[]]>([
  ['without a limit of CPU time only wall time counts', { wallMsMax: 750 }, [0, 5000, 9000], [false, false, true]],
  ['a job of one check is over at once', { wallMsMax: CHECK_MS }, [0], [true]],
  ['CPU time counts from the first check', { cpuMsMax: () => 300, wallMsMax: 60_000 }, [5000, 5299, 5300], [false, false, true]],
  ['a first check never ends a job by its CPU time', { cpuMsMax: () => 1, wallMsMax: 60_000 }, [9000, 9000, 9001], [false, false, true]],
  ['waiting takes no CPU time', { cpuMsMax: () => 1, wallMsMax: 60_000 }, [7, 7, 7, 7, 7], [false, false, false, false, false]],
  ['a job that waits too long is over', { cpuMsMax: () => 1, wallMsMax: 1000 }, [7, 7, 7, 7], [false, false, false, true]],
])('%s', async (_, limits, cpuMsAtChecks, over) => {
  const deadlines = new Deadlines(limits, CHECK_MS)
  const thread = new MeasuredThread()
  const results: boolean[] = []
  for (const cpuMs of cpuMsAtChecks) {
    thread.totalMs = cpuMs
    results.push(await deadlines.checkOverdue(thread, JOB))
  }
  expect(results).toEqual(over)
})

test('each job starts from zero, and so does each thread', async () => {
  const deadlines = new Deadlines({ cpuMsMax: () => 300, wallMsMax: 500 }, CHECK_MS)
  const [thread, other] = [new MeasuredThread(), new MeasuredThread()]
  expect(await deadlines.checkOverdue(thread, JOB)).toBe(false)
  thread.totalMs = 400
  expect(await deadlines.checkOverdue(thread, { ...JOB, id: 2 })).toBe(false)
  expect(await deadlines.checkOverdue(other, { ...JOB, id: 2 })).toBe(false)
  expect(await deadlines.checkOverdue(thread, { ...JOB, id: 2 })).toBe(true)
})

test('a thread that does not report its CPU time is asked once and is over by wall time', async () => {
  const deadlines = new Deadlines({ cpuMsMax: () => 300, wallMsMax: 750 }, CHECK_MS)
  let asked = 0
  const stuck = {
    cpuUsage() {
      asked += 1
      return new Promise<NodeJS.CpuUsage>(() => undefined)
    },
  }
  void deadlines.checkOverdue(stuck, JOB)
  expect(await deadlines.checkOverdue(stuck, JOB)).toBe(false)
  expect(await deadlines.checkOverdue(stuck, JOB)).toBe(true)
  expect(asked).toBe(1)
})

test('a late report about a job does not end the one after it', async () => {
  const deadlines = new Deadlines({ cpuMsMax: () => 300, wallMsMax: 60_000 }, CHECK_MS)
  const reports: ((used: NodeJS.CpuUsage) => void)[] = []
  const slow = { cpuUsage: () => new Promise<NodeJS.CpuUsage>(resolve => reports.push(resolve)) }
  const first = deadlines.checkOverdue(slow, JOB)
  reports[0]?.({ user: 0, system: 0 })
  expect(await first).toBe(false)
  const late = deadlines.checkOverdue(slow, JOB)
  const next = deadlines.checkOverdue(slow, { ...JOB, id: 2 })
  for (const report of reports.slice(1)) report({ user: 400_000, system: 0 })
  expect([await late, await next]).toEqual([false, false])
})
