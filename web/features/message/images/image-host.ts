/**
 * Whether a mail's picture may be asked for at this host after the reader wanted pictures. The reader's own network is not the sender's to call:
 * `<img src="http://192.168.1.1/reboot">`. A public name that resolves to a private address is left to the browser's own guard.
 */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion)\.?$/
const PRIVATE_V4 =
  /^(?:0|10|127|169\.254|192\.168|192\.0\.0|198\.1[89]|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|2[2-5]\d)\./

/** `hostname` is a URL's: lower case, IPv4 in any spelling (`127.1`, `0x7f000001`) already dotted, IPv6 in brackets. */
export function isPublicHost(hostname: string): boolean {
  // Only 2000::/3 is routed; what embeds an IPv4 address in it (6to4, Teredo) has no picture to give.
  if (hostname.startsWith('[')) return /^\[[23]/.test(hostname) && !/^\[2002:|^\[2001:0?:/.test(hostname)
  if (/^[\d.]+$/.test(hostname)) return !PRIVATE_V4.test(hostname)
  return hostname.includes('.') && !PRIVATE_NAME.test(hostname)
}
