/** Things that tests share, and folders for them, with their end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** All tests of a file share it. It ends after the last of them. */
export async function untilEnd<T extends AsyncDisposable>(starting: Promise<T>): Promise<T> {
  const started = await starting
  afterAll(() => started[Symbol.asyncDispose]())
  return started
}

/** A new folder for one test, also from its `beforeEach`. It is removed when the test has ended. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-test-'))
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** A new folder for all tests of a file or of a `describe`. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-test-'))
  afterAll(() => removeFolder(folder))
  return folder
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
