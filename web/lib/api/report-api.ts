import type { AbuseReport } from '#contract/report.ts'
import { routes } from '#contract/routes.ts'
import { send } from './request.ts'

export async function reportAbuse(report: AbuseReport & { botCheck?: string }): Promise<void> {
  await send(routes.reports, { method: 'POST', json: report })
}
