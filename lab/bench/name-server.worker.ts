/** The DNS of the senders of a bench, in its own thread, so that the bench's own work does not delay its answers. */
import { generateKeyPairSync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { startDnsServer } from '../../test/harness/servers/dns-server.ts'

const TTL_S = 300
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const { address } = await startDnsServer(
  {
    'elsewhere.test TXT': ['v=spf1 ip4:127.0.0.1 -all'],
    '_dmarc.elsewhere.test TXT': ['v=DMARC1; p=reject'],
    'example.com TXT': ['v=spf1 ip4:127.0.0.1 -all'],
    '_dmarc.example.com TXT': ['v=DMARC1; p=none'],
    'mail._domainkey.example.com TXT': [`v=DKIM1; k=rsa; p=${key}`],
  },
  { ttlS: TTL_S },
)
parentPort?.postMessage(address)
