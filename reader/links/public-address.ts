/**
 * Blocks of IPv4 that are not the internet at large, from IANA's registry of special-purpose addresses (RFC 6890) and of multicast: this
 * host, private, shared, loopback, link-local, IETF's, documentation, AS112 and AMT, 6to4 relays, benchmarks, reserved.
 */
const SPECIAL_IPV4 =
  /^(?:(?:0|10|127|22[4-9]|2[3-5]\d)\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.(?:168|0\.[02]|31\.196|52\.193|88\.99|175\.48)\.|198\.(?:1[89]|51\.100)\.|203\.0\.113\.)/
/** Global unicast (RFC 4291 section 2.4) without IETF’s blocks (Teredo), documentation, 6to4, which holds an IPv4 address, and AS112. */
const PUBLIC_IPV6 = /^\[(?!2001:(?:1?[\da-f]{0,2}|db8):|2002:|2620:4f:8000:|3fff:[\da-f]{0,3}:)[23][\da-f]{3}:/

/** Whether an address is one of the internet at large. As the host of a URL: IPv4 with dots, IPv6 shortened and in brackets. */
export function isPublicAddress(address: string): boolean {
  return address.startsWith('[') ? PUBLIC_IPV6.test(address) : !SPECIAL_IPV4.test(address)
}
