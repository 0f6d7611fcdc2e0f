import { visitorRoutes } from './visitor-routes.ts'

/** The one list of URLs; servers mount them, browsers call them. `:name` marks a parameter. */
export const routes = {
  ...visitorRoutes,
  mailboxBatch: '/api/mailboxes/batch',
  /** A mailbox by the id that its API key or API token got. */
  mailboxById: '/api/mailboxes/:id',
  /** What `attachmentLink` hands out; the parameter is the capability itself. */
  download: '/api/attachments/:capability',
  wait: '/api/mailbox/wait',
  mailboxWebhooks: '/api/mailbox/webhooks',
  mailboxWebhook: '/api/mailbox/webhooks/:id',
  mailboxWebhookTest: '/api/mailbox/webhooks/:id/test',
  mailboxWebhookRotate: '/api/mailbox/webhooks/:id/rotate',
  pushKey: '/api/push/key',
  mailboxPush: '/api/mailbox/push',
  mailboxPushSubscription: '/api/mailbox/push/:id',
  webhooks: '/api/webhooks',
  webhook: '/api/webhooks/:id',
  webhookTest: '/api/webhooks/:id/test',
  webhookRotate: '/api/webhooks/:id/rotate',
  authSession: '/api/auth/session',
  authSignUp: '/api/auth/sign-up',
  authSignIn: '/api/auth/sign-in',
  authSignOut: '/api/auth/sign-out',
  authSignOutEverywhere: '/api/auth/sign-out-everywhere',
  /** Receives the token of a confirmation link. The link itself opens the page `/auth/confirm`. */
  authConfirm: '/api/auth/confirm',
  authForgotPassword: '/api/auth/forgot-password',
  authResetPassword: '/api/auth/reset-password',
  authDeleteAccount: '/api/auth/delete-account',
  accountMailboxes: '/api/account/mailboxes',
  accountApiKeys: '/api/account/api-keys',
  accountApiKey: '/api/account/api-keys/:id',
  reports: '/api/reports',
  /** The operator's page. All but the first four need the second factor. */
  operatorSession: '/api/operator/session',
  operatorEnrol: '/api/operator/second-factor/enrol',
  operatorConfirm: '/api/operator/second-factor/confirm',
  operatorVerify: '/api/operator/second-factor/verify',
  operatorOverview: '/api/operator/overview',
  operatorSettings: '/api/operator/settings',
  operatorBlocks: '/api/operator/blocks',
  operatorBlock: '/api/operator/blocks/:id',
  operatorDestroyAddress: '/api/operator/addresses/destroy',
  operatorFindAccount: '/api/operator/accounts/find',
  operatorSuspend: '/api/operator/accounts/suspend',
  operatorResume: '/api/operator/accounts/resume',
  operatorDestroyAccount: '/api/operator/accounts/destroy',
  operatorMessages: '/api/operator/messages',
  operatorContactMessage: '/api/operator/messages/contact/:id',
  operatorMail: '/api/operator/messages/mail/:id',
  operatorReport: '/api/operator/messages/reports/:id',
  operatorCloseReport: '/api/operator/messages/reports/:id/close',
  operatorReplies: '/api/operator/replies',
  operatorChecks: '/api/operator/checks',
  operatorAudit: '/api/operator/audit',
  openapi: '/api/openapi.json',
  docs: '/api/docs',
  /** The Model Context Protocol, where the operator offers it. Sends JSON-RPC, so it is no part of the API's description. */
  mcp: '/mcp',
  /** The blank document that shows the HTML of a mail; its own CSP decides what may load. */
  mailFrame: '/mail-frame',
  /** RFC 9116. */
  securityTxt: '/.well-known/security.txt',
  healthz: '/healthz',
  readyz: '/readyz',
  metrics: '/metrics',
} as const

export { type PathParameters, pathTo } from './visitor-routes.ts'
