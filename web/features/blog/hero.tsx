import { LetterBoat } from '#web/components/drawings/letter-boat.tsx'
import { MayflyAndLure } from '#web/components/drawings/mayfly-and-lure.tsx'
import type { HeroName } from './post.ts'

const HEROES = { 'letter-boat': LetterBoat, 'mayfly-and-lure': MayflyAndLure } satisfies Record<HeroName, unknown>

/** The picture of an article. Has a `label` if it shows something that the title does not say. */
export function Hero({ name, label, className }: { name: HeroName; label?: string; className?: string }) {
  const Picture = HEROES[name]
  return <Picture {...(label === undefined ? {} : { label })} {...(className === undefined ? {} : { className })} />
}
