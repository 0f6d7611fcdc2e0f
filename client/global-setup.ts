/** `globalSetup` of Playwright, Vitest and Jest: one server for all workers of a test run. */
import { startForAllWorkers } from './testing.ts'

/** Playwright and Vitest call what it returns at the end; Jest wants a teardown file for that. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  return startForAllWorkers()
}
