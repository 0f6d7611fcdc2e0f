import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type AbuseReport, abuseReportSchema } from '#contract/site.ts'
import { ONE_LINE } from '#contract/text-patterns.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { invalid } from '#server/errors.ts'
import { fairIds, makeRoom, networkMark } from './fair-room.ts'
import type { OperatorNotices } from './notices.ts'

const CONTEXT = 'abuse-report'
/** A flood must not fill the disk. Closed reports are deleted first. */
const ROOM = { rowsMax: 2000, last: sql`closed_at is not null` }

type StoredReport = {
  readonly id: number
  readonly receivedAt: number
  readonly isRead: boolean
  readonly isClosed: boolean
  /** Missing if it was sealed under another secret. */
  readonly report?: AbuseReport
}

type AbuseReportsDeps = DatabaseAccess & { readonly notices: OperatorNotices | undefined }

/** Abuse reports from third parties, sealed because they name people. */
export class AbuseReports {
  readonly #deps: AbuseReportsDeps

  constructor(deps: AbuseReportsDeps) {
    this.#deps = deps
  }

  /** Durable when it resolves, with the mail to the operator if one is sent. AppError `invalid_request` for control characters. */
  async receive(report: AbuseReport): Promise<void> {
    const { db, secretBox, clock, notices } = this.#deps
    if (!ONE_LINE.test(report.address + (report.email ?? '')) || /[^\P{Cc}\t\n\r]/u.test(report.message)) {
      throw invalid('Control characters are not taken.')
    }
    const row = {
      sealed: secretBox.seal(CONTEXT, Buffer.from(JSON.stringify(report))),
      received_at: clock(),
      read_at: null,
      closed_at: null,
      network: networkMark(secretBox),
    }
    const { kind, address, email, message } = report
    const text = `Kind: ${kind}\nAddress: ${address}\nFrom: ${email ?? '-'}\n\n${message}\n`
    const told = { kind: 'abuse_report', subject: `Report of abuse: ${kind}`, text, replyTo: email } as const
    const notice = await notices?.admitReport(told, row.network)
    await db.transaction().execute(async step => {
      await step.insertInto('abuse_reports').values(row).execute()
      await notice?.mail(step)
    })
    notice?.send()
    await makeRoom(db, 'abuse_reports', ROOM)
  }

  /** Newest first, open ones before closed ones. When there are more than `limit`, the networks take turns. */
  async list(limit: number): Promise<StoredReport[]> {
    const rows = await this.#deps.db
      .selectFrom('abuse_reports')
      .selectAll()
      .where('id', 'in', fairIds('abuse_reports', { ...ROOM, rowsMax: limit }))
      .orderBy(ROOM.last)
      .orderBy('id', 'desc')
      .execute()
    return rows.map(row => ({
      id: row.id,
      receivedAt: row.received_at,
      isRead: row.read_at !== null,
      isClosed: row.closed_at !== null,
      ...this.#open(row.sealed),
    }))
  }

  /** Marks it as read. `undefined` if there is none, or it was sealed under another secret. */
  async read(id: number): Promise<AbuseReport | undefined> {
    const { db, clock } = this.#deps
    await db.updateTable('abuse_reports').set({ read_at: clock() }).where('id', '=', id).where('read_at', 'is', null).execute()
    const row = await db.selectFrom('abuse_reports').select('sealed').where('id', '=', id).executeTakeFirst()
    return row && this.#open(row.sealed).report
  }

  /** `false` if there is none, or it is already closed. */
  async close(id: number): Promise<boolean> {
    const { db, clock } = this.#deps
    const open = db.updateTable('abuse_reports').set({ closed_at: clock() }).where('id', '=', id).where('closed_at', 'is', null)
    return (await open.returning('id').executeTakeFirst()) !== undefined
  }

  #open(sealed: Uint8Array): { report?: AbuseReport } {
    const bytes = this.#deps.secretBox.open(CONTEXT, sealed)
    const parsed = bytes && z.safeParse(abuseReportSchema, JSON.parse(bytes.toString()))
    return parsed?.success ? { report: parsed.data } : {}
  }
}
