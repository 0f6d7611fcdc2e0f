/** Sign-up, sign-in, links and sign-out (decision 22). The credential is an HttpOnly cookie, so every write is for our own pages only. */
import { Hono } from 'hono'
import type { HttpEnv } from '#server/http/env.ts'
import { authGuards } from './auth-guards.ts'
import { passwordRoutes } from './passwords.ts'
import { sessionRoutes } from './sessions.ts'
import { signUpRoutes } from './sign-up.ts'
import type { SitePorts } from './site-ports.ts'

export function authRoutes(ports: SitePorts): Hono<HttpEnv> {
  const guards = authGuards(ports)
  const app = new Hono<HttpEnv>()
  for (const routes of [signUpRoutes, sessionRoutes, passwordRoutes]) app.route('/', routes(ports, guards))
  return app
}
