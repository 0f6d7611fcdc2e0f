/** The pictures of a `srcset` attribute. */

export type Candidate = { readonly url: string; readonly size: string }

/** Limits of 16 KiB and 32 sizes. A real picture in several sizes has a tenth of either. */
const LIMITS = { charsMax: 16_384, candidatesMax: 32 }

const ADDRESS = /[\s,]*([^\s,]\S*)/y
const DESCRIPTOR = /[^,]*/y
/** A number is tried in one way only: `\d*\.?\d+` tries as many as there are digits, for each of them. */
const SIZE = /^(?:\d+w|\d+(?:\.\d+)?x|\.\d+x)$/

/**
 * `a.png 1x, b.png 2x`. A longer value is not read at all, because a truncated URL leads elsewhere. Candidates with an invalid size are
 * skipped.
 */
export function parseSrcset(srcset: string, { charsMax, candidatesMax } = LIMITS): Candidate[] {
  const candidates: Candidate[] = []
  if (srcset.length > charsMax) return candidates
  for (let at = 0; candidates.length < candidatesMax; ) {
    ADDRESS.lastIndex = at
    const written = ADDRESS.exec(srcset)?.[1]
    if (written === undefined) break
    at = ADDRESS.lastIndex
    // Commas at its end end the candidate; all others are the address's own.
    const url = withoutCommas(written)
    let size = ''
    if (url === written) {
      DESCRIPTOR.lastIndex = at
      size = DESCRIPTOR.exec(srcset)?.[0].trim() ?? ''
      at = DESCRIPTOR.lastIndex
    }
    if (size === '' || SIZE.test(size)) candidates.push({ url, size })
  }
  return candidates
}

/** Not `/,+$/`, which reads a row of commas that is not the last once for each of them. */
function withoutCommas(address: string): string {
  let end = address.length
  while (address[end - 1] === ',') end--
  return address.slice(0, end)
}
