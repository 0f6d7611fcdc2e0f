/** How much of a message is searched: 101 of the longest real `Received:` fields fit. */
const TRACE_BYTES_MAX = 256 * 1024
const LF = 0x0a
const CR = 0x0d
const LETTER_R = 0x72
const RECEIVED = 'received:'

/** Whether the header has more than `hopsMax` `Received:` fields (RFC 5321 6.3). */
export function isLooping(message: Buffer, hopsMax: number): boolean {
  const header = message.subarray(0, TRACE_BYTES_MAX)
  let hops = 0
  for (let at = 0; at < header.length && header[at] !== CR && header[at] !== LF; ) {
    if (isReceived(header, at) && ++hops > hopsMax) return true
    const end = header.indexOf(LF, at)
    if (end === -1) return false
    at = end + 1
  }
  return false
}

function isReceived(header: Buffer, at: number): boolean {
  // ASCII letters differ from their upper case in one bit. The first byte rules most lines out.
  if (((header[at] ?? 0) | 0x20) !== LETTER_R) return false
  return header.toString('latin1', at, at + RECEIVED.length).toLowerCase() === RECEIVED
}
