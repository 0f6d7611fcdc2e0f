/** The program of `SmtpProcess`. It ends when its parent disconnects. */
import { startTestSmtp } from './start-smtp.ts'

export type Ready = { readonly port: number; readonly emails: readonly string[] }

await using smtp = await startTestSmtp({ config: { smtpConnectionsMax: 3000 } })
const addresses = await Promise.all(Array.from({ length: 2 }, () => smtp.newAddress()))
const { promise: disconnected, resolve: disconnect } = Promise.withResolvers<void>()
process.once('disconnect', disconnect)
process.send?.({ port: smtp.port, emails: addresses.map(address => address.email) } satisfies Ready)
await disconnected
