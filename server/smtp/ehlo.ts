const OCTETS_MAX = 255
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come in
const CONTROL = /[\x00-\x1f\x7f]/

/**
 * A client's name for itself, safe to keep: printable ASCII, at most 255 octets. It proves nothing.
 * `undefined` for none or for one with control characters. Strict about nothing else: real senders have underscores and worse.
 */
export function parseHello(argument: string): string | undefined {
  const name = argument.replace(/[^!-~]/g, '').slice(0, OCTETS_MAX)
  return name && !CONTROL.test(argument) ? name : undefined
}
