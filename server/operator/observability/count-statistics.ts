/** Counts for the operator's page what is already measured for Prometheus. */
import type { BotCheck } from '#server/http/bot-check/bot-check.ts'
import type { Authenticate } from '#server/mail/authentication/authenticate.ts'
import type { StatisticsCounter } from '../statistics.ts'
import type { Metrics } from './metrics.ts'

const CREATED = 201
const TOO_MANY = 429

export function countingMetrics(metrics: Metrics, counter: StatisticsCounter): Metrics {
  const { smtp } = metrics
  return {
    ...metrics,
    observeRequest(request) {
      metrics.observeRequest(request)
      if (request.route === '/api/mailboxes' && request.status === CREATED) counter.count('addresses')
      if (request.status === TOO_MANY) counter.refuse('http_rate_limited')
    },
    smtp: {
      ...smtp,
      connectionRefused(reason) {
        smtp.connectionRefused(reason)
        counter.refuse(reason)
      },
      senderRefused(reason) {
        smtp.senderRefused(reason)
        counter.refuse(reason)
      },
      recipientRefused(reason) {
        smtp.recipientRefused(reason)
        counter.refuse(reason)
      },
      messageAnswered(outcome, bytes, seconds) {
        smtp.messageAnswered(outcome, bytes, seconds)
        if (outcome !== 'delivered') return counter.refuse(outcome)
        counter.count('delivered')
        counter.count('bytes', bytes)
      },
    },
  }
}

/** Counts mails whose sending server is on one of the operator's DNS blocklists. */
export function countingAuthenticate(authenticate: Authenticate, counter: StatisticsCounter, metrics: Metrics): Authenticate {
  return async (connection, raw) => {
    const results = await authenticate(connection, raw)
    for (const list of results?.listedOn ?? []) {
      counter.list(list)
      metrics.senderListed(list)
    }
    return results
  }
}

/** A solution for another network is neither: the page solves a new one. */
export function countingBotCheck(botCheck: BotCheck, counter: StatisticsCounter, metrics: Metrics): BotCheck {
  return {
    ...botCheck,
    async verify(token, action, network) {
      const verdict = await botCheck.verify(token, action, network)
      metrics.botChecked(verdict)
      if (verdict === 'failed') counter.count('botCheckFailures')
      return verdict
    },
  }
}
