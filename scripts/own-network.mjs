// A network of its own for a command. Plain JavaScript for any Node from 18 on.
import { spawnSync } from 'node:child_process'

/** A browser takes a machine with its loopback alone for one without a network, so there is a link that leads nowhere. */
const ENTER = [
  'ip link set lo up',
  'ip link add online type veth peer name nowhere',
  'ip addr add 198.18.0.1/30 dev online',
  'ip link set online up',
  'ip link set nowhere up',
  // WebKit is online where there is a way to everywhere.
  'ip route add default dev online',
  'exec "$@"',
].join(' && ')

/**
 * The words to put before a command that needs this machine alone, or none where the system does not allow it: Linux does to root. Chromium
 * hears each address that comes or goes, as tests of clusters make them, and cuts whatever it is loading (ERR_NETWORK_CHANGED).
 * @returns {string[]}
 */
export function ownNetwork() {
  const words = ['unshare', '--net', 'sh', '-c', ENTER, 'sh']
  return spawnSync(words[0], [...words.slice(1), 'true'], { stdio: 'ignore' }).status === 0 ? words : []
}
