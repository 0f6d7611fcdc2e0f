/**
 * One SMTP session without its socket: commands in, replies out (RFC 5321). A refused recipient, an invalid parameter or a failing store is
 * a reply, never an exception.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryProgress, PlannedFailure } from '#contract/mailbox.ts'
import type { MailFailure, PathFault } from '#server/errors.ts'
import { canonicalAddress, wholeAddress } from '#server/mail/addresses/address.ts'
import type { Recipient } from '#server/mail/delivery/envelope.ts'
import { type Client, serve } from '#server/platform/limits/clients.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'
import type { RecipientRefusal, TlsFailure } from '#server/platform/telemetry/labels.ts'
import type { MailboxId } from '#server/store/store.ts'
import {
  parseHello,
  parseParameters,
  parseRecipientPath,
  parseSenderParameters,
  parseSenderPath,
  type SenderParameters,
  withDomain,
} from './command-arguments.ts'
import type { SmtpContext } from './context.ts'
import type { MessageBuffer } from './message-buffer.ts'
import { failOnPurpose, failsAlone, letOthersGoFirst, othersGoFirst } from './planned-failures.ts'
import { type Reply, type ReplyName, reply, replyNaming, replyThen, replyToError } from './replies.ts'
import { OPERATOR_MAIL_MS } from './sender-quotas.ts'
import type { FailedTls } from './tls-failures.ts'

/** HTTP methods: a web page can make a browser send SMTP commands in a request body, so the session ends before it is read. */
const NOT_SMTP = /^(?:GET|POST|PUT|HEAD|DELETE|OPTIONS|PATCH|TRACE|CONNECT|PRI) .* HTTP\//
/** Shown on one line. */
const SERVER_NAME_CHARS_MAX = 100

type DeliveryResult = 'delivered' | MailFailure | { readonly thrown: unknown }

export class SmtpSession {
  readonly #context: SmtpContext
  readonly #client: Client
  #hello: string | undefined
  /** The name that the client gave itself before STARTTLS. */
  #plainHello = ''
  #isEncrypted = false
  #hasToldOfTls = false
  #transaction: Transaction | undefined
  // All three count since the start or the last delivered message.
  #errors = 0
  #unknownRecipients = 0
  #commands = 0
  readonly #gone = new AbortController()

  constructor(context: SmtpContext, client: Client) {
    this.#context = context
    this.#client = client
  }

  get networks(): Holder {
    return this.#client.networks
  }

  greeting(): string {
    return `220 ${this.#context.config.mailHost} ESMTP\r\n`
  }

  /** Whether the transaction has an accepted recipient. It goes on to its DATA: nothing that its sender does beside it ends the session. */
  get hasRecipients(): boolean {
    return this.#transaction !== undefined && this.#transaction.recipientCount > 0
  }

  /**
   * Whether the session has named many unknown recipients and is between two transactions. It is not ended at once: a mail server that is
   * about to send the next mail would hold back all mail to us (measured: Exim for a quarter of an hour).
   */
  get mayEndSoon(): boolean {
    return this.#unknownRecipients >= this.#context.limits.unknownRecipientsMax && !this.#transaction
  }

  /** Replies to one command line, passed without its CR LF, one character per byte. Never rejects. */
  command(line: string): Reply | Promise<Reply> {
    this.#commands++
    const space = line.indexOf(' ')
    const argument = space === -1 ? '' : line.slice(space + 1).trim()
    const verb = (space === -1 ? line : line.slice(0, space)).toUpperCase()
    if (verb === 'RCPT' && this.#transaction) return this.#slowIfTooMany(this.#rcpt(this.#transaction, argument))
    if (verb === 'DATA' && this.#transaction?.failing) return this.#slowIfTooMany(this.#failingData(argument))
    if (this.#hasTooManyCommands && !this.hasRecipients) return replyThen('too_many_commands', 'close')
    return this.#slowIfTooMany(this.#lastIfTooMany(this.#reply(verb, argument, line)))
  }

  /** The reply to a line that cannot be a command. */
  brokenLine(name: 'bare_line_feed' | 'line_too_long'): Reply | Promise<Reply> {
    this.#commands++
    return this.#slowIfTooMany(this.#lastIfTooMany(this.#errorReply(name)))
  }

  /** After too many commands a transaction goes on slowly: commands sent without end would keep the server from answering others. */
  #slowIfTooMany(response: Reply | Promise<Reply>): Reply | Promise<Reply> {
    return this.#hasTooManyCommands ? sleep(this.#context.limits.commandDelayMs, undefined, { ref: false }).then(() => response) : response
  }

  #reply(verb: string, argument: string, line: string): Reply {
    switch (verb) {
      case 'EHLO':
        return this.#ehlo(argument)
      case 'HELO':
        return this.#helo(argument)
      case 'MAIL':
        return this.#mail(argument)
      case 'DATA':
        return this.#data(argument)
      case 'STARTTLS':
        return this.#startTls(argument)
      case 'RSET':
        return this.#rset(argument)
      case 'RCPT':
        // Senders pipeline it after a MAIL that was refused.
        return reply('bad_sequence')
      case 'NOOP':
        return reply('ok')
      case 'QUIT':
        return replyThen('bye', 'close')
      case 'HELP':
        return reply('help')
      case 'VRFY':
        return reply('not_verified')
      case 'EXPN':
      case 'AUTH':
      case 'BDAT':
      case 'ETRN':
      case 'TURN':
        return this.#errorReply('not_implemented')
      default:
        return NOT_SMTP.test(line) && !this.#transaction ? replyThen('not_smtp', 'close') : this.#errorReply('unknown_command')
    }
  }

  /** A reply that counts as an error: a client that does not speak SMTP is soon disconnected. */
  #errorReply(name: ReplyName): Reply {
    this.#errors++
    return reply(name)
  }

  #refusePath(name: 'bad_address' | 'bad_sender', fault: PathFault): Reply {
    this.#errors++
    return replyNaming(name, fault)
  }

  /** After too many errors the session ends, but not within a transaction: a recipient that exists may come next. */
  #lastIfTooMany(last: Reply): Reply {
    if (this.#errors < this.#context.limits.errorsMax || this.#transaction || last.next) return last
    return { text: last.text + reply('too_many_errors').text, next: 'close' }
  }

  get #hasTooManyCommands(): boolean {
    return this.#commands > this.#context.limits.commandsMax
  }

  /** A PROXY header from an unknown address. Logged without the address, which may belong to a stranger if the header was made up. */
  proxyNotNamed(): Reply {
    const { log, onUnnamedProxy } = this.#context
    onUnnamedProxy(() =>
      log.warn(
        'A PROXY header came from an address that PROXY_PROTOCOL_FROM does not name, and was refused. If your proxy sent it, name it there; else ignore this',
      ),
    )
    return reply('proxy_not_named')
  }

  /** A client that speaks TLS from the start, as on port 465. */
  tlsAtOnce(): Reply {
    this.tlsFailed({ reason: 'tls_at_once' })
    return reply('not_smtp')
  }

  /** Readers see it once. The recipient is rarely known then, so a failure nearby is shown to all readers who are nearby, too. */
  tlsFailed(failed: FailedTls): void {
    const { mail, telemetry, tlsFailures, starttls } = this.#context
    telemetry.tlsFailed(failed.reason)
    tlsFailures.note(failed, { client: this.#client, isGenerated: starttls().isGenerated })
    const recipients = this.#transaction?.recipients ?? []
    if (this.#hasToldOfTls || !(recipients.length > 0 || this.#client.isLocal)) return
    this.#hasToldOfTls = true
    const server = (this.#hello ?? this.#plainHello).slice(0, SERVER_NAME_CHARS_MAX)
    const progress = { type: 'delivery', step: 'tls_failed', server, encrypted: false, reason: tlsReason(failed.reason) } as const
    if (recipients.length > 0) mail.publishDeliveryProgress(recipients, progress)
    else mail.publishLocalProgress(this.#client.network, progress)
  }

  /** The handshake resets the session (RFC 3207 4.2). */
  tlsStarted(): void {
    this.#isEncrypted = true
    this.#hello = undefined
    this.#transaction = undefined
  }

  /** For the message that follows `start_mail`. */
  newMessage(): MessageBuffer {
    return this.#context.arriving.open(this.#client.networks)
  }

  /** After the final dot: delivers and replies with the outcome. Never rejects; releases the message's bytes. */
  async message(message: MessageBuffer): Promise<Reply> {
    const failing = message.refusal ? undefined : await this.#failAt('message', () => message.release())
    if (failing) {
      this.#transaction = undefined
      return failing
    }
    const startedMs = this.#context.nowMs()
    const recipients = this.#transaction?.recipients ?? []
    const outcome = await this.#deliver(message)
    message.release()
    const isThrown = typeof outcome === 'object'
    const seconds = (this.#context.nowMs() - startedMs) / 1000
    this.#context.telemetry.messageAnswered(isThrown ? 'internal' : outcome, message.size, seconds)
    this.#logMail(isThrown ? 'internal' : outcome, recipients.map(domainForLog), message.size)
    if (outcome === 'delivered') this.#publish(recipients, { step: 'accepted', bytes: message.size })
    else this.#publish(recipients, { step: 'refused', reason: refusalReason(isThrown ? 'internal' : outcome) })
    if (outcome !== 'delivered')
      return this.#lastIfTooMany(isThrown ? this.#refuseAfterError(outcome.thrown) : reply(outcome, message.fullShare))
    this.#commands = this.#errors = this.#unknownRecipients = 0
    this.#context.unknownRecipients.countDelivery(this.#client, recipients.flatMap(toMailboxIds))
    return reply('delivered')
  }

  /** The connection is closed: nobody waits for a reply any more. */
  clientGone(): void {
    this.#gone.abort()
  }

  /** The connection ended before the final dot. */
  messageDropped(message: MessageBuffer): void {
    message.release()
    const recipients = this.#transaction?.recipients ?? []
    this.#transaction = undefined
    const { refusal } = message
    if (refusal) this.#logMail(refusal, recipients.map(domainForLog), message.size)
    this.#publish(recipients, refusal ? { step: 'refused', reason: refusalReason(refusal) } : { step: 'disconnected' })
  }

  async #deliver(message: MessageBuffer): Promise<DeliveryResult> {
    const transaction = this.#transaction
    this.#transaction = undefined
    if (message.refusal) return message.refusal
    if (!transaction || !this.#hello) return 'unavailable'
    const raw = message.take()
    if (isLooping(raw, this.#context.limits.hopsMax)) return 'mail_loop'
    const connection = { clientAddress: this.#client.address, helo: this.#hello, isEncrypted: this.#isEncrypted }
    try {
      const envelope = { ...connection, from: transaction.from, recipients: transaction.recipients }
      return await serve(this.#client.networks, () => this.#context.mail.receive(envelope, raw))
    } catch (thrown) {
      return { thrown }
    }
  }

  #refuseAfterError(thrown: unknown): Reply {
    this.#context.atIntervals(() => this.#context.log.error({ err: thrown }, 'Mail could not be taken'))
    return replyToError(thrown)
  }

  /**
   * One line for each mail, and for each sender or recipient refused before it. The domains are ours: those of senders would say which
   * sites our visitors use.
   */
  #logMail(reason: string, domains: readonly string[] = [], bytes?: number): void {
    const { network } = this.#client
    const domain = [...new Set(domains)].join(' ')
    const facts = { network, ...(domain && { domain }), ...(bytes !== undefined && { bytes }) }
    if (reason === 'delivered') this.#context.log.info({ ...facts, recipients: domains.length }, 'Mail accepted')
    else this.#context.log.info({ ...facts, reason }, 'Mail refused')
  }

  #ehlo(argument: string): Reply {
    this.#hello = parseHello(argument)
    this.#transaction = undefined
    if (!this.#hello) return this.#errorReply('bad_argument')
    const extensions = ['PIPELINING', `SIZE ${this.#context.config.messageBytesMax}`, '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES']
    const lines = this.#isEncrypted || !this.#isOfferedTls() ? extensions : [...extensions, 'STARTTLS']
    return { text: [this.#context.config.mailHost, ...lines].map((line, at) => `250${at < lines.length ? '-' : ' '}${line}\r\n`).join('') }
  }

  #helo(argument: string): Reply {
    this.#hello = parseHello(argument)
    this.#transaction = undefined
    return this.#hello ? { text: `250 ${this.#context.config.mailHost}\r\n` } : this.#errorReply('bad_argument')
  }

  #startTls(argument: string): Reply {
    if (argument) return this.#errorReply('bad_argument')
    if (this.#isEncrypted) return this.#errorReply('bad_sequence')
    if (!this.#isOfferedTls()) {
      this.tlsFailed({ reason: 'not_offered' })
      return this.#errorReply('not_implemented')
    }
    this.#plainHello = this.#hello ?? ''
    return replyThen('ready_for_tls', 'tls')
  }

  #isOfferedTls(): boolean {
    const { toLocal, toOthers } = this.#context.starttls()
    return this.#client.isLocal ? toLocal : toOthers
  }

  #rset(argument: string): Reply {
    if (argument) return this.#errorReply('bad_argument')
    this.#transaction = undefined
    return reply('ok')
  }

  #mail(argument: string): Reply {
    if (!this.#hello || this.#transaction) return this.#errorReply('bad_sequence')
    const path = parseSenderPath(argument)
    if (typeof path === 'string') return this.#refusePath('bad_sender', path)
    const parameters = parseSenderParameters(path.rest)
    if (typeof parameters === 'string') return this.#errorReply(parameters)
    if (path.isUtf8 && !parameters.isUtf8) return this.#errorReply('utf8_undeclared')
    const refused = this.#refuseBlockedSender(path.address)
    if (refused) return refused
    const { config, arriving } = this.#context
    const { declaredBytes } = parameters
    // A message over the limit is refused at RCPT (RFC 1870 section 6.1), where its reader is known and sees why.
    if (declaredBytes <= config.messageBytesMax && !arriving.mayHaveRoom(this.#client.networks, declaredBytes))
      return this.#refuseForNow('memory_full', arriving.fullShare(this.#client.networks, declaredBytes))
    this.#transaction = new Transaction(path.address, parameters)
    return reply('sender_ok')
  }

  /** The reply that refuses a blocked sender or network, which may have been blocked after it connected. */
  #refuseBlockedSender(address: string): Reply | undefined {
    const policy = this.#context.rules.policy
    const isNetwork = !this.#client.isTrusted && policy.blocksNetwork(this.#client.address)
    if (!isNetwork && !policy.blocksSender(address)) return undefined
    const reason = isNetwork ? 'network_blocked' : 'sender_blocked'
    this.#context.telemetry.senderRefused(reason)
    this.#logMail(reason)
    return reply(reason)
  }

  #rcpt(transaction: Transaction, argument: string): Reply | Promise<Reply> {
    transaction.noteNamed()
    const path = parseRecipientPath(argument)
    const whole = typeof path === 'string' ? path : withDomain(path, this.#context.rules.domains.main)
    if (typeof whole === 'string') return this.#refusePath('bad_address', whole)
    const recipient = whole.address
    const parameters = parseParameters(whole.rest)
    if (!parameters || parameters.size > 0) return this.#errorReply(parameters ? 'unknown_parameter' : 'bad_argument')
    if (whole.isUtf8 && !transaction.isUtf8) return this.#errorReply('utf8_undeclared')
    if (transaction.has(recipient)) return reply('recipient_ok')
    if (transaction.recipientCount >= this.#context.limits.recipientsMax || this.#hasTooManyCommands)
      return this.#refuseRecipient('too_many_recipients', transaction)
    if (!this.#context.unknownRecipients.mayNameMore(this.#client)) return this.#checkInTurn(transaction, recipient)
    return this.#checkRecipient(transaction, recipient)
  }

  /** The recipients of a network that has named too many unknown ones wait for their turn, whether they are known or not. */
  async #checkInTurn(transaction: Transaction, recipient: string): Promise<Reply> {
    const { unknownRecipients, limits, nowMs } = this.#context
    const msMax = limits.recipientsWaitMs - transaction.waitedMs
    const lookupEnd = unknownRecipients.lookupEnd(this.#client, msMax)
    const waitMs = lookupEnd ? 0 : unknownRecipients.takeTurn(this.#client, msMax)
    if (waitMs === undefined) {
      this.#noteRefusedRecipient('too_many_unknown_recipients', transaction)
      return reply('too_many_unknown_recipients', unknownRecipients.usedUpBy(this.#client))
    }
    const sinceMs = nowMs()
    await (lookupEnd ?? sleep(waitMs, undefined, { ref: false }))
    transaction.waitedMs += lookupEnd ? nowMs() - sinceMs : waitMs
    // A recipient that did not wait may have been faster.
    return unknownRecipients.mayNameMore(this.#client)
      ? await this.#checkRecipient(transaction, recipient)
      : await this.#checkInTurn(transaction, recipient)
  }

  async #checkRecipient(transaction: Transaction, recipient: string): Promise<Reply> {
    try {
      const { mail, unknownRecipients } = this.#context
      const found = await unknownRecipients.whileLookingUp(this.#client, () => mail.checkRecipient(recipient), isUnknown)
      if (typeof found === 'string') return this.#refuseRecipient(found, transaction, recipient)
      if (this.#isBlockedRecipient(found)) {
        this.#noteRefusedRecipient('recipient_blocked', transaction, recipient)
        return reply('recipient_blocked')
      }
      if (transaction.declaredBytes > this.#context.config.messageBytesMax) {
        this.#publish([found], { step: 'refused', reason: 'too_large' })
        return this.#refuseRecipient('message_too_large', transaction, recipient)
      }
      if (isForOperator(found) && !this.#context.operatorMail.hasRoom(this.#client.networks, 1)) return this.#refuseOperatorMail()
      const { sharedLimits } = this.#context
      const sender = { networks: this.#client.networks, from: transaction.from }
      const isAlone = await failsAlone(sharedLimits, found)
      if (transaction.failing) await letOthersGoFirst(sharedLimits, transaction.failing, sender)
      if (transaction.recipientCount > 0 && (isAlone || transaction.failing)) return reply('fails_alone')
      if (isAlone && (await othersGoFirst(sharedLimits, found, sender))) return reply('fails_alone')
      const failing = await this.#failAt('rcpt', undefined, found)
      if (failing?.next === 'close') await letOthersGoFirst(sharedLimits, found, sender)
      if (failing) return failing
      transaction.add(found)
      if (isAlone) transaction.failing = found
      this.#publish([found], { step: 'connected' })
      return reply('recipient_ok')
    } catch (thrown) {
      this.#context.telemetry.recipientRefused('internal')
      return this.#refuseAfterError(thrown)
    }
  }

  /** For every spelling of the address. Mail to the operator is always accepted, so that blocked people can complain. */
  #isBlockedRecipient({ kind, address }: Recipient): boolean {
    return kind !== 'operator' && this.#context.rules.policy.blocksRecipient(canonicalAddress(address))
  }

  #refuseRecipient(failure: MailFailure, transaction: Transaction, address?: string): Reply {
    this.#noteRefusedRecipient(failure, transaction, failure === 'domain_not_served' ? undefined : address)
    if (isUnknown(failure)) this.#unknownRecipients++
    return reply(failure)
  }

  /** Only the first recipients of a long list are logged. */
  #noteRefusedRecipient(reason: RecipientRefusal, transaction: Transaction, address?: string): void {
    this.#context.telemetry.recipientRefused(reason)
    if (transaction.namedCount > this.#context.limits.recipientsMax) return
    this.#logMail(reason, address === undefined ? [] : [domainForLog({ address })])
  }

  #refuseOperatorMail(): Reply {
    return this.#refuseForNow('operator_mail_limit', this.#context.operatorMail.fullShare(this.#client.networks, 1))
  }

  #refuseForNow(reason: 'memory_full' | 'operator_mail_limit', fullShare: string | undefined): Reply {
    this.#logMail(reason)
    return reply(reason, fullShare)
  }

  async #failingData(argument: string): Promise<Reply> {
    return (await this.#failAt('data')) ?? this.#data(argument)
  }

  /**
   * The refusal that a test has chosen for its address. Its reader sees it, and nothing counts it. `onRefusal` is called before the
   * delay: a mail that will be refused holds no memory meanwhile.
   */
  async #failAt(
    stage: PlannedFailure['stage'],
    onRefusal?: () => void,
    recipient = this.#transaction?.failing,
  ): Promise<Reply | undefined> {
    const wait = async (ms: number, isRefused: boolean) => {
      if (isRefused) onRefusal?.()
      // One delay for all of a transaction, the longest: each recipient that is slow on purpose would delay the mail of the others.
      const { delayedMs } = this.#transaction ?? { delayedMs: 0 }
      if (this.#transaction) this.#transaction.delayedMs = Math.max(ms, delayedMs)
      await this.#delay(Math.max(0, ms - delayedMs))
    }
    const failing = recipient && (await failOnPurpose(this.#context.sharedLimits, recipient, stage, wait))
    if (failing)
      this.#publish([recipient], failing.text === '' ? { step: 'disconnected' } : { step: 'refused', reason: refusalReason(failing) })
    return failing
  }

  /** Ends early when the client has gone, since its mail takes up memory until it is stored. */
  async #delay(ms: number): Promise<void> {
    await sleep(ms, undefined, { ref: false, signal: this.#gone.signal }).catch(() => undefined)
  }

  #data(argument: string): Reply {
    const transaction = this.#transaction
    // Senders pipeline it after a MAIL or recipients that were refused.
    if (!transaction) return reply('bad_sequence')
    if (argument) return this.#errorReply('bad_argument')
    if (transaction.recipientCount === 0) return transaction.namedCount > 0 ? reply('no_recipients') : this.#errorReply('bad_sequence')
    // At least one byte, so that a full budget is reported before the sender starts, not after.
    const { arriving, operatorMail } = this.#context
    const { networks } = this.#client
    const bytes = Math.max(1, transaction.declaredBytes)
    if (!arriving.mayHaveRoom(networks, bytes)) return this.#refuseForNow('memory_full', arriving.fullShare(networks, bytes))
    if (transaction.recipients.some(isForOperator) && !operatorMail.acquireFor(networks, 1, OPERATOR_MAIL_MS))
      return this.#refuseOperatorMail()
    const { declaredBytes } = transaction
    this.#publish(transaction.recipients, { step: 'receiving', ...(declaredBytes > 0 && { bytes: declaredBytes }) })
    return replyThen('start_mail', 'data')
  }

  /** Shows readers who have an address open what this session does for it: the name the client gives itself, and nothing of the message. */
  #publish(recipients: readonly Recipient[], step: Pick<DeliveryProgress, 'step' | 'bytes' | 'reason'>): void {
    const server = this.#hello?.slice(0, SERVER_NAME_CHARS_MAX) ?? ''
    this.#context.mail.publishDeliveryProgress(recipients, { type: 'delivery', server, encrypted: this.#isEncrypted, ...step })
  }
}

function domainForLog({ address }: Pick<Recipient, 'address'>): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

function isForOperator({ kind }: Recipient): boolean {
  return kind === 'operator'
}

/** One id for all spellings and tags of an address. */
function toMailboxIds(recipient: Recipient): MailboxId[] {
  return recipient.kind === 'mailbox' ? [recipient.mailboxId] : []
}

/** The reason for a refusal, as shown to the reader. */
function refusalReason(outcome: MailFailure | 'internal' | Reply): NonNullable<DeliveryProgress['reason']> {
  if (outcome === 'message_too_large') return 'too_large'
  if (outcome === 'mailbox_full') return 'mailbox_full'
  if (outcome === 'mailbox_not_found') return 'ended'
  // After a 4xx code the client tries again. All others are final.
  const { text } = typeof outcome === 'string' ? reply(outcome) : outcome
  return text.startsWith('5') ? 'rejected' : 'busy'
}

function tlsReason(failure: TlsFailure): NonNullable<DeliveryProgress['reason']> {
  const isOfCertificate = failure === 'certificate_refused' || failure.startsWith('closed_after')
  return isOfCertificate ? 'certificate' : failure === 'tls_at_once' || failure === 'not_offered' ? 'plain_only' : 'handshake'
}

/** The envelope between MAIL and the final dot. */
class Transaction implements SenderParameters {
  readonly from: string
  readonly isUtf8: boolean
  readonly declaredBytes: number
  /** The same recipient in another letter case, or with its domain in Unicode, still gets one copy. */
  readonly #recipients = new Map<string, Recipient>()
  #namedCount = 0
  /** An address that fails on purpose in a way that concerns the whole transaction, so that it is the only recipient. */
  failing: Recipient | undefined
  /** How long its recipients have waited because their network named too many unknown ones. */
  waitedMs = 0
  /** How long recipients that are slow on purpose have delayed it. */
  delayedMs = 0

  constructor(from: string, parameters: SenderParameters) {
    this.from = from
    this.isUtf8 = parameters.isUtf8
    this.declaredBytes = parameters.declaredBytes
  }

  get recipients(): Recipient[] {
    return [...this.#recipients.values()]
  }

  get recipientCount(): number {
    return this.#recipients.size
  }

  /** Recipients that the sender named, accepted or not. */
  get namedCount(): number {
    return this.#namedCount
  }

  has(address: string): boolean {
    return this.#recipients.has(wholeAddress(address))
  }

  add(recipient: Recipient): void {
    this.#recipients.set(wholeAddress(recipient.address), recipient)
  }

  noteNamed(): void {
    this.#namedCount++
  }
}

const isUnknown = (found: unknown) => found === 'mailbox_not_found' || found === 'domain_not_served'

/** How much of a message is searched: 101 of the longest real `Received:` fields fit. Each line costs, however short it is. */
const TRACE_BYTES_MAX = 256 * 1024
const TRACE_LINES_MAX = 5000
const LF = 0x0a
const CR = 0x0d
const LETTER_R = 0x72
const RECEIVED = 'received:'

/** Whether the header has more than `hopsMax` `Received:` fields (RFC 5321 6.3). */
function isLooping(message: Buffer, hopsMax: number): boolean {
  const header = message.subarray(0, TRACE_BYTES_MAX)
  let [hops, lines] = [0, 0]
  for (let at = 0; at < header.length && header[at] !== CR && header[at] !== LF && lines < TRACE_LINES_MAX; lines++) {
    if (isReceived(header, at) && ++hops > hopsMax) return true
    const end = header.indexOf(LF, at)
    if (end === -1) return false
    at = end + 1
  }
  return false
}

function isReceived(header: Buffer, at: number): boolean {
  // ASCII letters differ from their upper case in one bit. The first byte rules most lines out.
  if (((header[at] ?? 0) | 0x20) !== LETTER_R) return false
  return header.toString('latin1', at, at + RECEIVED.length).toLowerCase() === RECEIVED
}
