/** The DNS of the senders of a bench, in its own thread, so that the bench's own work does not delay its answers. */
import { parentPort, workerData } from 'node:worker_threads'
import { startDnsServer, type Zone } from '../../test/harness/servers/dns-server.ts'

const TTL_S = 300
const { address } = await startDnsServer(workerData as Zone, { ttlS: TTL_S })
parentPort?.postMessage(address)
