const OCTETS_MAX = 255
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come in
const CONTROL = /[\x00-\x1f\x7f]/

/**
 * The name that a client gives itself, safe to store: printable ASCII, at most 255 octets. It proves nothing. `undefined` if it is missing
 * or has control characters. Nothing else is refused: real senders use underscores and worse.
 */
export function parseHello(argument: string): string | undefined {
  const name = argument.replace(/[^!-~]/g, '').slice(0, OCTETS_MAX)
  return name && !CONTROL.test(argument) ? name : undefined
}
