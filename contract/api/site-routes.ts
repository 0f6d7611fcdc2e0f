/** Routes for everything but mail and accounts: configuration, bot check, contact form, blog views. */
import { abuseReportRequestSchema } from '../report.ts'
import { routes } from '../routes.ts'
import {
  blogViewsListSchema,
  blogViewsSchema,
  challengeQuerySchema,
  challengeSchema,
  configReplySchema,
  contactRequestSchema,
} from '../site.ts'
import type { Route } from './route.ts'

export const readConfig = { method: 'GET', path: routes.config, status: 200, response: configReplySchema } as const satisfies Route

/** 404 on a deployment without proof of work. */
export const readChallenge = {
  method: 'GET',
  path: routes.botCheckChallenge,
  query: challengeQuerySchema,
  status: 200,
  response: challengeSchema,
  problems: ['not_found', 'rate_limited'],
} as const satisfies Route

export const sendContact = {
  method: 'POST',
  path: routes.contact,
  ownPagesOnly: true,
  body: contactRequestSchema,
  status: 202,
  problems: ['bot_check_failed', 'rate_limited'],
} as const satisfies Route

/** Anyone can report that an address of this service is used for spam, phishing or other abuse. */
export const reportAbuse = {
  method: 'POST',
  path: routes.reports,
  ownPagesOnly: true,
  body: abuseReportRequestSchema,
  status: 202,
  problems: ['bot_check_failed', 'rate_limited'],
} as const satisfies Route

export const listBlogViews = { method: 'GET', path: routes.blogViews, status: 200, response: blogViewsListSchema } as const satisfies Route

export const readBlogViews = {
  method: 'GET',
  path: routes.blogViewsOf,
  status: 200,
  response: blogViewsSchema,
  problems: ['not_found'],
} as const satisfies Route

export const countBlogView = {
  method: 'POST',
  path: routes.blogViewsOf,
  ownPagesOnly: true,
  status: 200,
  response: blogViewsSchema,
  problems: ['not_found', 'rate_limited'],
} as const satisfies Route
