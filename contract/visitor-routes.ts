/** What every visitor's page calls; a list of its own, so that the first file a browser loads holds no more than this. */
export const visitorRoutes = {
  mailboxes: '/api/mailboxes',
  mailbox: '/api/mailbox',
  messages: '/api/mailbox/messages',
  message: '/api/mailbox/messages/:id',
  raw: '/api/mailbox/messages/:id/raw',
  attachment: '/api/mailbox/messages/:id/attachments/:index',
  attachmentLink: '/api/mailbox/messages/:id/attachments/:index/link',
  events: '/api/mailbox/events',
  contact: '/api/contact',
  blogViews: '/api/blog/views',
  blogViewsOf: '/api/blog/views/:slug',
  config: '/api/config',
  botCheckChallenge: '/api/bot-check/challenge',
} as const

export type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Fills the parameters of a route: `pathTo(routes.message, { id })`. */
export function pathTo<Path extends string>(path: Path, params: Record<PathParameters<Path>, string | number>): string {
  return path.replace(/:([a-zA-Z]+)/g, (_, name: PathParameters<Path>) => encodeURIComponent(String(params[name])))
}
