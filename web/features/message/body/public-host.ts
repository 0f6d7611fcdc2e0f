import { isPublicAddress } from '#reader/links/public-address.ts'

/**
 * Whether a picture of a mail may be loaded from this host after the reader has allowed pictures. A sender must not reach the reader's own
 * network: `<img src="http://192.168.1.1/reboot">`. A page cannot resolve names, so names are judged by their text. Against a name that
 * resolves to a private address only the browser's own protection helps.
 */
const PRIVATE_SUFFIXES = 'localhost localdomain local internal intranet private lan home corp home.arpa fritz.box onion'.split(' ')
/** Public names that always resolve to the reader's machine, or to an address written in the name. */
const LOOPBACK_SUFFIXES = (
  'nip.io sslip.io xip.io ip6.name backname.io traefik.me 1u.ms rbndr.us lvh.me localtest.me vcap.me lacolhost.com lndo.site ddev.site ' +
  'local.gd localho.st yoogle.com fuf.me smackaho.st local-ip.co local-ip.sh localtls.com'
).split(' ')
/** Names that routers answer with their own address, in the networks behind them. */
const ROUTER_SUFFIXES = (
  'routerlogin.net routerlogin.com orbilogin.com orbilogin.net mywifiext.net tplinkwifi.net tplinklogin.net tplinkrepeater.net tplinkmodem.net ' +
  'asusrouter.com router.asus.com speedport.ip easy.box congstar.box o2.box giga.cube miwifi.com myfritz.box repeater.asus.com'
).split(' ')
const PRIVATE_SUFFIX_LISTS = [PRIVATE_SUFFIXES, LOOPBACK_SUFFIXES, ROUTER_SUFFIXES]
/** An IPv4 address inside a name, its parts set apart by dots or hyphens. Two may overlap: `1.10.0.0.1.dns.example`. */
const V4_IN_NAME = /(?<!\d)(?=(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?!\d))/g

/** `hostname` is a URL's: lower case, IPv4 in any spelling (`127.1`, `0x7f000001`) already dotted, IPv6 in brackets. */
export function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicAddress(hostname)
  const name = hostname.replace(/(?<!\.)\.+$/, '')
  if (/^[\d.]+$/.test(name)) return isPublicAddress(name)
  return name.includes('.') && !PRIVATE_SUFFIX_LISTS.some(suffixes => isUnder(name, suffixes)) && !namesPrivateAddress(name)
}

function isUnder(name: string, suffixes: readonly string[]): boolean {
  return suffixes.some(suffix => name === suffix || name.endsWith(`.${suffix}`))
}

/** `10.0.0.1.dns.example`, `app-192-168-1-1.dns.example`: further services resolve such names to the address in them. */
function namesPrivateAddress(name: string): boolean {
  return [...name.matchAll(V4_IN_NAME)].some(([, ...parts]) => !isPublicAddress(parts.slice(0, 4).join('.')))
}
