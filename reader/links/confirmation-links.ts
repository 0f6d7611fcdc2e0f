/** Finds the links that a mail wants followed: weighs what the words, the URL and the place of each say of it. */
import { toWeights, weigh } from '../concepts/weigh.ts'
import { linkCandidates } from './evidence.ts'
import type { LinkSource } from './link-places.ts'
import weights from './weights.json' with { type: 'json' }

/** `label`: its words, or its host. */
export type ConfirmationLink = { readonly url: string; readonly label: string }

const LINKS_MAX = 3
/** Hundredths of the logarithm of the odds that it is one. */
const WEIGHT_MIN = 40
/** A second link must be nearly as certain as the first. */
const WEIGHT_GAP = 100
const WEIGHTS = toWeights(weights)

/**
 * The links a mail wants followed to confirm, sign in, reset or accept, best guess first, at most three. `label` is the link's own words,
 * at most 80 characters, or its host where it has none. Time is linear in the input.
 */
export function findConfirmationLinks(source: LinkSource): ConfirmationLink[] {
  for (const candidates of linkCandidates(source)) {
    const weighed = new Map<string, { link: ConfirmationLink; weight: number }>()
    for (const { link, collect } of candidates()) {
      const { url, label } = link
      const weight = weigh(WEIGHTS, collect)
      if (weight >= WEIGHT_MIN && weight > (weighed.get(url)?.weight ?? 0))
        weighed.set(url, { link: { url, label: label || new URL(url).host }, weight })
    }
    const ranked = [...weighed.values()].sort((a, b) => b.weight - a.weight)
    const best = ranked[0]?.weight ?? 0
    const found = ranked.filter(({ weight }) => weight >= best - WEIGHT_GAP).slice(0, LINKS_MAX)
    if (found.length > 0) return found.map(({ link }) => link)
  }
  return []
}
