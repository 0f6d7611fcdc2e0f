import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import * as z from 'zod/mini'
import { HOUR_MS } from '#contract/limits.ts'
import type { Warn } from '#server/accounts/account-mail.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { sessionRight, withRight } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { wholeAddress } from '#server/mail/addresses/address.ts'
import type { AuditLog } from './audit-log.ts'
import { otpauthUrl, TOTP_STEP_MS, toBase32, totpCodeAt } from './totp.ts'

const CONTEXT = 'second-factor'
/** Wrong codes in a row, from any network, before codes are refused for a while. */
const FAILURES_MAX = 5
const LOCK_MS = 15 * 60_000
/** A working day; then the code is needed again. */
export const VERIFIED_MS = 12 * HOUR_MS
const RECOVERY_CODES = 10
/** 80 bits: too many to guess, short enough to type. */
const RECOVERY_BYTES = 10
type Person = { readonly email: string }
/** A person's session, which has to be there until something of it is written. */
type PersonsSession = Person & { readonly id: string; readonly sessionId: string }
type Row = Selectable<DatabaseSchema['second_factors']>

type SecondFactorDeps = DatabaseAccess & {
  readonly audit: AuditLog
  /** Shown by the authenticator app. */
  readonly issuer: string
}

/**
 * The second factor of operators. Passing it sets a separate cookie, bound to the session: a session that was planted or stolen before is
 * worthless without it. It belongs to the address that OPERATORS names and not to the account: whoever reads the operator's mail can delete
 * the account and sign up again, and must not get rid of it so.
 */
export class SecondFactor {
  readonly #deps: SecondFactorDeps

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps
  }

  async isEnrolled(person: Person): Promise<boolean> {
    return (await this.#row(person))?.confirmed_at != null
  }

  /** A new secret to scan; an earlier unconfirmed one becomes invalid. AppError `forbidden` if there is a confirmed one. */
  async enrol(person: PersonsSession): Promise<{ secret: string; url: string }> {
    const { secretBox, issuer } = this.#deps
    const secret = createTotpSecret()
    const fresh = {
      sealed_secret: secretBox.seal(CONTEXT, secret).toString('base64'),
      last_step: 0,
      recovery_hashes: writeRecovery({ left: [], used: [] }),
    }
    const row = { person: this.#keyOf(person), ...fresh, confirmed_at: null, failures: 0, locked_until: 0 }
    const written = await withRight(this.#deps, sessionRight(person.id, person.sessionId), step =>
      step
        .insertInto('second_factors')
        .values(row)
        .onConflict(conflict => conflict.column('person').doUpdateSet(fresh).where('second_factors.confirmed_at', 'is', null))
        .returning('person')
        .executeTakeFirst(),
    )
    if (!written) throw new AppError('forbidden')
    return { secret: toBase32(secret), url: otpauthUrl(secret, { issuer, account: person.email }) }
  }

  /** Completes the enrolment and shows the recovery codes. AppError `sign_in_required`, `second_factor_wrong`, `rate_limited`. */
  async confirm(person: PersonsSession, code: string): Promise<string[]> {
    const { clock, secretBox, audit } = this.#deps
    const row = await this.#row(person)
    if (!row || row.confirmed_at !== null) throw new AppError('second_factor_wrong')
    await this.#passCode(person, row, code)
    const codes = Array.from({ length: RECOVERY_CODES }, () => toBase32(randomBytes(RECOVERY_BYTES)).replace(/(.{4})(?=.)/g, '$1-'))
    const left = codes.map(recovery => secretBox.hash(CONTEXT, plainCode(recovery)))
    await withRight(this.#deps, sessionRight(person.id, person.sessionId), async step => {
      const confirmed = step
        .updateTable('second_factors')
        .set({ confirmed_at: clock(), recovery_hashes: writeRecovery({ left, used: [] }) })
      const own = confirmed
        .where('person', '=', row.person)
        .where('sealed_secret', '=', row.sealed_secret)
        .where('confirmed_at', 'is', null)
      if (!(await own.returning('person').executeTakeFirst())) throw new AppError('second_factor_wrong')
      await audit.add(person.email, 'second-factor.enrol', '', step)
    })
    return codes
  }

  /** A code of the app or for recovery, once each. The operator is told of a lock. AppError `second_factor_wrong`, `rate_limited`. */
  async pass(person: Person & { readonly id: string }, code: string, warn?: Warn): Promise<void> {
    const row = await this.#row(person)
    if (row?.confirmed_at == null) throw new AppError('second_factor_wrong')
    await this.#passCode(person, row, code.replace(/\s/g, ''), () => warn?.(person.id))
  }

  /** The cookie's token, which proves the second factor for this session. AppError `sign_in_required`, `second_factor_wrong`. */
  async openSession({ id, sessionId, email }: PersonsSession): Promise<string> {
    const { secretBox, clock, dialect } = this.#deps
    const token = randomBytes(32).toString('base64url')
    const person = this.#keyOf({ email })
    const row = { token_hash: secretBox.hash('verified-session', token), session_id: sessionId, person, expires_at: clock() + VERIFIED_MS }
    await withRight(this.#deps, sessionRight(id, sessionId), async step => {
      const factor = step.selectFrom('second_factors').select('person').where('person', '=', person)
      if (!(await (dialect === 'postgres' ? factor.forKeyShare() : factor).executeTakeFirst())) throw new AppError('second_factor_wrong')
      await step.insertInto('verified_sessions').values(row).execute()
    })
    return token
  }

  async isVerified(sessionId: string, token: string | undefined): Promise<boolean> {
    if (token === undefined) return false
    const { db, secretBox, clock } = this.#deps
    const found = db
      .selectFrom('verified_sessions')
      .select('session_id')
      .where('token_hash', '=', secretBox.hash('verified-session', token))
    const row = await found.where('session_id', '=', sessionId).where('expires_at', '>', clock()).executeTakeFirst()
    return row !== undefined
  }

  /** With all its sessions, for an operator who lost everything, by a command on the server only. `false` if there was none. */
  async remove(person: Person): Promise<boolean> {
    const factor = this.#deps.db.deleteFrom('second_factors').where('person', '=', this.#keyOf(person))
    return (await factor.returning('person').executeTakeFirst()) !== undefined
  }

  #row(person: Person): Promise<Row | undefined> {
    return this.#deps.db.selectFrom('second_factors').selectAll().where('person', '=', this.#keyOf(person)).executeTakeFirst()
  }

  /** The same for every spelling by which `isNamedOperator` knows the operator. */
  #keyOf({ email }: Person): string {
    return this.#deps.secretBox.hash('operator', wholeAddress(email))
  }

  /** Counts the attempt before the code is checked, so that simultaneous attempts do not share one count. */
  async #passCode(person: Person, row: Row, code: string, warn?: () => ReturnType<Warn> | undefined): Promise<void> {
    const { db, clock } = this.#deps
    const now = clock()
    const failures = row.locked_until > 0 && row.locked_until <= now ? 1 : row.failures + 1
    const counted = await db
      .updateTable('second_factors')
      .set({ failures, locked_until: failures >= FAILURES_MAX ? now + LOCK_MS : 0 })
      .where('person', '=', row.person)
      .where('failures', '=', row.failures)
      .where('locked_until', '<=', now)
      .returning('person')
      .executeTakeFirst()
    if (!counted) throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil((row.locked_until - now) / 1000)) })
    const isFirst = (await this.#spendStep(row, code)) ?? (await this.#spendRecoveryCode(person, row, code))
    if (isFirst === false) await this.#uncount(row.person)
    if (isFirst === undefined) await this.#noteWrong(person, failures, warn)
    if (!isFirst) throw new AppError('second_factor_wrong')
    await db.updateTable('second_factors').set({ failures: 0, locked_until: 0 }).where('person', '=', row.person).execute()
  }

  /** The first of a row and the one that locks are in the audit log, so that guessing does not fill it. */
  async #noteWrong(person: Person, failures: number, warn?: () => ReturnType<Warn> | undefined): Promise<void> {
    const { db, audit, log } = this.#deps
    const isLocked = failures >= FAILURES_MAX
    log[isLocked ? 'warn' : 'info']({ failures, isLocked }, 'A code of an operator’s second factor was wrong')
    if (failures === 1) await audit.add(person.email, 'second-factor.wrong-code')
    if (!isLocked) return
    const tell = await warn?.()
    await db.transaction().execute(async step => {
      await audit.add(person.email, 'second-factor.lock', '', step)
      await tell?.(step)
    })
  }

  /** A form that was sent twice locks nobody out: the code was right, but used already, so nothing was guessed. */
  async #uncount(person: string): Promise<void> {
    const { db } = this.#deps
    const counted = db.updateTable('second_factors').set(({ eb }) => ({ failures: eb('failures', '-', 1), locked_until: 0 }))
    await counted.where('person', '=', person).where('failures', '>', 0).execute()
  }

  /**
   * One of several requests with one code gets `true`: the time step must be newer than the last one used. `undefined`: no such code.
   */
  async #spendStep(row: Row, code: string): Promise<boolean | undefined> {
    const { db, secretBox, clock } = this.#deps
    const secret = secretBox.open(CONTEXT, Buffer.from(row.sealed_secret, 'base64'))
    const step = secret && findTimeStep(secret, code, clock())
    if (step === undefined) return undefined
    const used = db.updateTable('second_factors').set({ last_step: step }).where('person', '=', row.person).where('last_step', '<', step)
    return (await used.returning('person').executeTakeFirst()) !== undefined
  }

  /** `false`: it was used already. `undefined`: no such code. */
  async #spendRecoveryCode(person: Person, row: Row, code: string): Promise<boolean | undefined> {
    const { db, secretBox, audit } = this.#deps
    const { left, used } = recoverySchema.parse(JSON.parse(row.recovery_hashes))
    const hash = secretBox.hash(CONTEXT, plainCode(code))
    if (!left.includes(hash)) return used.includes(hash) ? false : undefined
    const spent = writeRecovery({ left: left.filter(other => other !== hash), used: [...used, hash] })
    const spending = db.updateTable('second_factors').set({ recovery_hashes: spent }).where('person', '=', row.person)
    const taken = await spending.where('recovery_hashes', '=', row.recovery_hashes).returning('person').executeTakeFirst()
    if (taken) await audit.add(person.email, 'second-factor.recovery-code', `${left.length - 1} left`)
    return taken !== undefined
  }
}

/** Hashes of recovery codes. */
const recoverySchema = z.object({ left: z.array(z.string()), used: z.array(z.string()) })
const writeRecovery = (recovery: z.infer<typeof recoverySchema>) => JSON.stringify(recovery)

const plainCode = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Time steps before and after now that are accepted, because clocks of phones differ (RFC 6238 section 5.2). */
const WINDOW = 1

const createTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The time step that a code belongs to; `undefined` if it belongs to none around now. The caller refuses used steps. */
function findTimeStep(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const given = Buffer.from(code)
  if (!/^\d{6}$/.test(code)) return undefined
  const now = Math.floor(nowMs / TOTP_STEP_MS)
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, index) => now - WINDOW + index)
  return steps.filter(step => timingSafeEqual(Buffer.from(totpCodeAt(secret, step)), given)).at(-1)
}
