/** Chromium's virtual authenticator. */
import type { CDPSession, Page } from '@playwright/test'
import type { RunningServer } from '#test/harness/mayfly/start-server-process.ts'

type Device = { readonly cdp: CDPSession; readonly authenticatorId: string; isUserVerified(isVerified: boolean): Promise<void> }

/** A phone or computer that knows its user by a fingerprint. */
export async function addDevice(page: Page): Promise<Device> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
  return {
    cdp,
    authenticatorId,
    isUserVerified: async isUserVerified => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

/** Passkeys need a host name: a server at localhost and its pages there, for `test.use`. */
export const atLocalhost = (port: number, env: Readonly<Record<string, string>> = {}) => ({
  serverEnv: { HTTP_PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, ...env },
  // A function, because a name alone would start no server.
  baseURL: ({ server }: { server: RunningServer }, use: (url: string) => Promise<void>) => use(`http://localhost:${server.httpPort}`),
})
