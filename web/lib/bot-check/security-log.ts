/** Security events, kept in this browser only: the last 100, and the rule for suspicious activity. */
import { HOUR_MS } from '#contract/limits.ts'
import type { BotCheckAction } from '#contract/site.ts'
import { type KeyValue, localStore, readStored, writeStored } from '../browser/storage.ts'
import { either, flag, list, number, object, oneOf, record, type Shaped, text } from '../shape.ts'
import { deviceFingerprint } from './fingerprint.ts'

const EVENTS_MAX = 100
const RECENT_DEFAULT = 10
const STATS_WINDOW_MS = HOUR_MS
const SUSPICIOUS = { windowMs: 300_000, captchaFailures: 4, rateLimitHits: 2 } as const
/** A fixed score, because no provider gives the browser a real one. */
const BOT_CHECK_SCORE = 0.8

const eventType = oneOf('captcha_success', 'captcha_failure', 'rate_limit_hit')
type SecurityEventType = Shaped<typeof eventType>
const event = object({ type: eventType, timestamp: number, details: record(either(text, number, flag)), userIdentifier: text })
/** `timestamp` is milliseconds since the epoch. */
type SecurityEvent = Shaped<typeof event>

const KEY = 'mayfly.security-log'

/** Adds an event to the log of this device. */
export function logSecurityEvent(
  type: SecurityEventType,
  details: SecurityEvent['details'],
  { store = localStore, timestamp = Date.now(), userIdentifier = deviceFingerprint() } = {},
): void {
  writeStored(store, KEY, [...readEvents(store), { type, timestamp, details, userIdentifier }].slice(-EVENTS_MAX))
}

export function logBotCheckPassed(action: BotCheckAction): void {
  logSecurityEvent('captcha_success', { action, score: BOT_CHECK_SCORE })
}

/** Newest first. */
export function recentSecurityEvents(store: KeyValue, count: number = RECENT_DEFAULT): SecurityEvent[] {
  return readEvents(store).slice(-count).reverse()
}

type SecurityStats = Record<SecurityEventType, number>

export function securityStats(store: KeyValue, now: number, windowMs: number = STATS_WINDOW_MS): SecurityStats {
  return countTypes(readEvents(store).filter(event => isWithin(event, now, windowMs)))
}

/** More than 3 captcha failures, or 2 or more rate-limit hits, within 300 s for one identifier. */
export function isSuspicious(store: KeyValue, userIdentifier: string, now: number): boolean {
  const counts = countTypes(
    readEvents(store).filter(event => event.userIdentifier === userIdentifier && isWithin(event, now, SUSPICIOUS.windowMs)),
  )
  return counts.captcha_failure >= SUSPICIOUS.captchaFailures || counts.rate_limit_hit >= SUSPICIOUS.rateLimitHits
}

function countTypes(events: SecurityEvent[]): SecurityStats {
  const counts: SecurityStats = { captcha_success: 0, captcha_failure: 0, rate_limit_hit: 0 }
  for (const event of events) counts[event.type]++
  return counts
}

function isWithin(event: SecurityEvent, now: number, windowMs: number): boolean {
  return event.timestamp <= now && now - event.timestamp < windowMs
}

const readEvents = (store: KeyValue): SecurityEvent[] => readStored(store, KEY, list(event)) ?? []
