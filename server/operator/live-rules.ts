/** The rules in effect: a policy, which follows from the operator's settings and blocks, and the domains. */
import { isDeepStrictEqual } from 'node:util'
import type { DatabaseAccess } from '#server/database/database.ts'
import { createMailDomains, initialDomains, type MailDomains, type OwnNames } from '#server/mail/addresses/mail-domains.ts'
import { ALLOW_ALL, createPolicy, type Policy } from '#server/mail/policy.ts'
import { serve } from '#server/platform/limits/clients.ts'
import { normaliseDomain } from '#server/platform/net/domain-names.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import type { Blocks } from './blocks.ts'
import type { StoredDomains } from './domains.ts'
import { readRevision, type StoredSettings } from './settings.ts'

/** Changes by a command or another process take effect within a second. */
const CHECK_MS = 800

type LiveRulesDeps = DatabaseAccess & {
  readonly blocks: Blocks
  readonly settings: StoredSettings
  readonly storedDomains: StoredDomains
  readonly telemetry: Telemetry
  readonly ownNames: OwnNames
}

/** The current policy and domains, read again when their revision grows. If the database fails, the last ones stay. */
export class LiveRules implements AsyncDisposable {
  readonly #deps: LiveRulesDeps
  readonly #timer: NodeJS.Timeout
  #revision: string | undefined
  #policy = ALLOW_ALL
  #domains: MailDomains
  #checking: Promise<void> | undefined
  #refreshing: Promise<void> | undefined
  #hasFailed = false

  private constructor(deps: LiveRulesDeps) {
    this.#deps = deps
    this.#domains = createMailDomains(initialDomains(deps.ownNames.domains), deps.ownNames, deps.clock)
    this.#timer = setInterval(() => void this.#check(), CHECK_MS)
    this.#timer.unref()
  }

  /** Rejects when they cannot be read: nobody is served by rules that were never read. */
  static async open(deps: LiveRulesDeps): Promise<LiveRules> {
    await using opening = new AsyncDisposableStack()
    const rules = opening.use(new LiveRules(deps))
    await rules.#read()
    opening.move()
    return rules
  }

  get policy(): Policy {
    return this.#policy
  }

  get domains(): MailDomains {
    return this.#domains
  }

  /** Resolves when every change that was made before the call is in effect here. Those who ask while it waits share one look. */
  refresh(): Promise<void> {
    this.#refreshing ??= (async () => {
      await this.#checking
      this.#refreshing = undefined
      await this.#check()
    })()
    return this.#refreshing
  }

  /** A site refused an address at this domain, as its visitor says. Ignored for one that is not ours. */
  noteUnwelcome(domain: string): void {
    const ours = this.#domains.receiving(normaliseDomain(domain))
    if (ours) this.#deps.telemetry.domainUsed(ours.name, 'unwelcome')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
  }

  #check(): Promise<void> {
    this.#checking ??= serve([], () => this.#read())
      .then(() => {
        this.#hasFailed = false
      })
      .catch(err => {
        if (!this.#hasFailed)
          this.#deps.log.error({ err }, 'The blocks, settings and domains of the operator could not be read; the last ones stay')
        this.#hasFailed = true
      })
      .finally(() => {
        this.#checking = undefined
      })
    return this.#checking
  }

  async #read(): Promise<void> {
    const { db, blocks, settings, storedDomains, ownNames, clock } = this.#deps
    const revision = await readRevision(db)
    if (revision === this.#revision) return
    const [listed, current, ours] = await Promise.all([blocks.list(), settings.read(), storedDomains.inUse()])
    this.#policy = createPolicy(listed, current, clock, domain => this.#domains.receiving(domain)?.name)
    // The same object while they are the same: what was made of them stays.
    if (!isDeepStrictEqual(ours, this.#domains.all)) this.#domains = createMailDomains(ours, ownNames, clock)
    this.#revision = revision
  }
}
