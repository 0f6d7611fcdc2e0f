/** What the operator's page calls. */
import * as operator from '#contract/operator.ts'
import { pageRoute } from './page-route.ts'

/** `not_found` for an account that is not an operator. */
export const readOperatorSession = pageRoute(operator.readOperatorSession)
export const enrolSecondFactor = pageRoute(operator.enrolSecondFactor)
export const confirmSecondFactor = pageRoute(operator.confirmSecondFactor)
export const passSecondFactor = pageRoute(operator.passSecondFactor)

export const readOverview = pageRoute(operator.readOverview)
export const changeSettings = pageRoute(operator.changeSettings)
export const listBlocks = pageRoute(operator.listBlocks)
export const addBlock = pageRoute(operator.addBlock)
export const removeBlock = pageRoute(operator.removeBlock)
export const listDomains = pageRoute(operator.listDomains)
export const addDomain = pageRoute(operator.addDomain)
export const changeDomain = pageRoute(operator.changeDomain)
export const removeDomain = pageRoute(operator.removeDomain)

export const destroyAddress = pageRoute(operator.destroyAddress)
export const findAccount = pageRoute(operator.findAccount)
export const suspendAccount = pageRoute(operator.suspendAccount)
export const resumeAccount = pageRoute(operator.resumeAccount)
export const destroyAccount = pageRoute(operator.destroyAccount)

export const listOperatorMessages = pageRoute(operator.listOperatorMessages)
export const readContactMessage = pageRoute(operator.readContactMessage)
export const readOperatorMail = pageRoute(operator.readOperatorMail)
export const readAbuseReport = pageRoute(operator.readAbuseReport)
export const closeAbuseReport = pageRoute(operator.closeAbuseReport)
export const sendReply = pageRoute(operator.sendReply)
/** Takes some seconds. */
export const readChecks = pageRoute(operator.readChecks)
export const readAuditLog = pageRoute(operator.readAuditLog)
