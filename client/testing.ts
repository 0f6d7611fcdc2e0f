/** Mailboxes for tests in any runner, without importing one: Vitest, Jest, Mocha, node:test, Cypress. */
import { describeArrived } from './errors.ts'
import { asyncDispose, type Mailbox } from './mailbox.ts'
import { Mayfly } from './mayfly.ts'
import type { CreateMailboxOptions, WaitOptions } from './options.ts'

/** The server of `MAYFLY_URL`, with the key or token in `MAYFLY_API_KEY` if set. */
export function mayflyFromEnvironment(env: Readonly<Record<string, string | undefined>> = process.env): Mayfly {
  const { MAYFLY_URL, MAYFLY_API_KEY } = env
  if (!MAYFLY_URL) throw new TypeError('Set MAYFLY_URL to the address of a Mayfly server, e.g. http://localhost:8080, or pass `mayfly`.')
  return new Mayfly({ url: MAYFLY_URL, apiKey: MAYFLY_API_KEY || undefined })
}

export type TestOptions = CreateMailboxOptions & {
  /** Default: `mayflyFromEnvironment()`. A function is called before the first test, e.g. `() => started`. */
  mayfly?: Mayfly | (() => Mayfly | Promise<Mayfly>) | undefined
}

/** Runs `work` with a mailbox that is deleted afterwards. If it throws, the error lists the mail that had arrived. */
export async function withMailbox<T>(work: (mailbox: Mailbox) => Promise<T> | T, options: TestOptions = {}): Promise<T> {
  const mailbox = await create(options)
  try {
    return await work(mailbox)
  } catch (error) {
    await noteMail(error, mailbox)
    throw error
  } finally {
    await mailbox[asyncDispose]()
  }
}

type Hook = (work: () => Promise<void>) => unknown

/**
 * A mailbox per test, using the runner's own hooks: `const mailbox = mailboxPerTest({ beforeEach, afterEach })`, then `mailbox().address`
 * in a test.
 */
export function mailboxPerTest(hooks: { beforeEach: Hook; afterEach: Hook }, options: TestOptions = {}): () => Mailbox {
  let current: Mailbox | undefined
  hooks.beforeEach(async () => {
    current = await create(options)
  })
  hooks.afterEach(async () => {
    const mailbox = current
    current = undefined
    await mailbox?.[asyncDispose]()
  })
  return () => {
    if (!current) throw new Error('There is a mailbox only while a test runs')
    return current
  }
}

type TaskArguments = WaitOptions & { token: string; host?: string }

/**
 * Tasks for Cypress, whose tests run in the browser: `on('task', mailTasks())` in `setupNodeEvents`, then `cy.task('createMailbox')`. They
 * take and return JSON.
 */
export function mailTasks({ mayfly, ...create }: TestOptions = {}) {
  const open = async (token: string) => (await resolveMayfly(mayfly)).openMailbox(token)
  return {
    async createMailbox(options: CreateMailboxOptions | null = null): Promise<{ address: string; token: string }> {
      const { address, token } = await (await resolveMayfly(mayfly)).createMailbox({ ...create, ...options })
      return { address, token }
    },
    async waitForCode({ token, ...options }: TaskArguments): Promise<string> {
      return (await open(token)).waitForCode(options)
    },
    async waitForLink({ token, ...options }: TaskArguments): Promise<string> {
      return (await open(token)).waitForLink(options)
    },
    async waitForMessage({ token, ...options }: TaskArguments): Promise<unknown> {
      return JSON.parse(JSON.stringify(await (await open(token)).waitForMessage(options)))
    },
    /** `null`, because a Cypress task may not return undefined. */
    async deleteMailbox({ token }: { token: string }): Promise<null> {
      await (await open(token)).delete()
      return null
    },
  }
}

async function create({ mayfly, ...options }: TestOptions): Promise<Mailbox> {
  return (await resolveMayfly(mayfly)).createMailbox(options)
}

async function resolveMayfly(mayfly: TestOptions['mayfly']): Promise<Mayfly> {
  return typeof mayfly === 'function' ? mayfly() : (mayfly ?? mayflyFromEnvironment())
}

/** A time-out already lists the mail. A mailbox that cannot be read must not hide why the test failed. */
async function noteMail(error: unknown, mailbox: Mailbox): Promise<void> {
  if (!(error instanceof Error) || error.name === 'MailTimeoutError') return
  const arrived = await mailbox.listMessages({ timeoutMs: 5000 }).catch(() => undefined)
  if (arrived) error.message += `\n\nThe mailbox ${mailbox.address}: ${describeArrived(arrived.reverse())}`
}
