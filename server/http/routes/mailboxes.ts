/** Creating an address, reading its state, destroying it. */
import { createMailbox, destroyMailbox, readMailbox } from '#contract/api/mailbox-routes.ts'
import type { RouteProblem } from '#contract/api/route.ts'
import type { CreateMailbox, Mailbox } from '#contract/mailbox.ts'
import { type Actor, type BoundRoute, defineRoute, type Guarded } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

const tag = 'Mailboxes'

type Deps = Pick<HttpDeps, 'config' | 'mail' | 'accounts' | 'clock' | 'limits'>
type CreateRequest = Guarded<RouteProblem<typeof createMailbox>>

export function mailboxRoutes(deps: Deps, guards: Guards): BoundRoute[] {
  return [
    defineRoute(createMailbox, {
      tag,
      summary: 'Create an address',
      description:
        'The token is shown only in this response. `localPart` needs a session or an API key. `botCheck` is not needed with an API key.',
      handle(request) {
        const { c, actor, body, fail } = request
        c.header('cache-control', 'no-store')
        if (actor) return createForAccount(deps, guards, request, actor, body)
        if (body.localPart !== undefined) fail('sign_in_required')
        return createForVisitor(deps, guards, request, body)
      },
    }),
    defineRoute(readMailbox, {
      tag,
      summary: 'Read the mailbox of the token',
      handle: ({ mailbox }) => mailboxState(deps, mailbox),
    }),
    defineRoute(destroyMailbox, {
      tag,
      summary: 'Destroy the mailbox and its mail',
      async handle({ mailbox, fail }) {
        if (!(await deps.mail.destroyMailbox(mailbox))) fail('mailbox_not_found')
        await deps.accounts.proMailboxes.forget(mailbox)
        return undefined
      },
    }),
  ]
}

/** A page solves the check for every address, signed in or not; an API key is for programs and needs none. */
async function createForAccount(
  { accounts, limits }: Deps,
  guards: Guards,
  request: CreateRequest,
  { id, by }: Actor,
  asked: CreateMailbox,
) {
  const { domain, localPart, botCheck } = asked
  await guards.hasAttempts(request, limits.generationPro, id)
  if (by === 'session') await guards.botCheck(request, botCheck, 'generate_email')
  await guards.limit(request, limits.generationPro, id)
  return accounts.proMailboxes.create(id, { domain, localPart })
}

/** The limit is looked at before the check, so that no solved check is wasted, and used up after it. */
async function createForVisitor(deps: Deps, guards: Guards, request: CreateRequest, { domain, botCheck }: CreateMailbox) {
  const { mail, limits, config } = deps
  await guards.hasAttempts(request, limits.generation)
  await guards.botCheck(request, botCheck, 'generate_email')
  await guards.limit(request, limits.generation)
  const created = await mail.createAddress({ domain, lifetimeSeconds: config.lifetimeSeconds, creator: request.c.var.network })
  return { ...mailboxState(deps, created), token: created.token }
}

function mailboxState({ clock }: Deps, mailbox: { email: string; createdAt: number; expiresAt: number }): Mailbox {
  const { email, createdAt, expiresAt } = mailbox
  const secondsLeft = Math.max(0, (expiresAt - clock()) / 1000)
  return { email, expiresAt: new Date(expiresAt).toISOString(), secondsLeft, lifetimeSeconds: (expiresAt - createdAt) / 1000 }
}
