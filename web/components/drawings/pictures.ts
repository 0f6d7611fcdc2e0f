/** The large drawings of pages and articles. */
import artificialFlyFile from './artificial-fly.svg?raw'
import emptyWater from './empty-water.svg?raw'
import eveningFlight from './evening-flight.svg?raw'
import fieldAtDusk from './field-at-dusk.svg?raw'
import jetty from './jetty.svg?raw'
import letterBoat from './letter-boat.svg?raw'
import mayflyAndLure from './mayfly-and-lure.svg?raw'
import mooredBoat from './moored-boat.svg?raw'
import { MAYFLY, MAYFLY_BODY, picture, shapesOf } from './picture.tsx'

/** An angler's imitation, tied on a hook: right at a glance, wrong where the legs should be. Hackle wound around the hook imitates them. */
const ARTIFICIAL_FLY = shapesOf(artificialFlyFile, { 'mayfly-body.svg': MAYFLY_BODY })
const INSECTS = { 'mayfly.svg': MAYFLY, 'artificial-fly.svg': ARTIFICIAL_FLY }

/**
 * A letter folded into a paper boat with a mayfly on top, and a sun that counts ten minutes: between its eleven rays are ten gaps, and the
 * last three are spent. For the article on temporary mail.
 */
export const LetterBoat = picture(letterBoat, INSECTS)

/** A trout looks up at two mayflies in the evening sun, one of which is tied to a hook. For the article on phishing. */
export const MayflyAndLure = picture(mayflyAndLure, INSECTS)

/** The horizon is a field of a form with an address in it: the sun sets behind it, and a mayfly sits on it. For the extension's page. */
export const FieldAtDusk = picture(fieldAtDusk, INSECTS)

/** A mayfly resting on still water at dusk. */
export const EmptyWater = picture(emptyWater, INSECTS)

/** The setting sun, its reflection on the water, and a mayfly that flies to it. The horizon goes on to the left, beyond the frame. */
export const EveningFlight = picture(eveningFlight, INSECTS)

/** A jetty that ends in the water, and a mayfly that has flown away. For the 404 page. */
export const Jetty = picture(jetty, INSECTS)

/** A rowing boat tied to a post. For the offline page. */
export const MooredBoat = picture(mooredBoat, INSECTS)
