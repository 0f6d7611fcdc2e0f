/** The routes that create and destroy an address. Apart, since most addresses are created before the application is there. */
import * as mail from '#contract/mailbox.ts'
import * as site from '#contract/site.ts'
import { pageRoute } from './page-route.ts'

export const createMailbox = pageRoute(mail.createMailbox)
export const destroyMailbox = pageRoute(mail.destroyMailbox)
export const readChallenge = pageRoute(site.readChallenge)
