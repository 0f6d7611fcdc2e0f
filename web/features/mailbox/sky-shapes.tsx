import { Drawing, DUSK } from '#web/components/drawings/drawing.tsx'
import { MAYFLY, Reeds } from '#web/components/drawings/picture.tsx'

const EDGE = 'var(--color-edge)'

/**
 * Sun, far shore, water, reeds, and the insect in front of the sun. What moves is placed by `--left` and `data-light` in styles.css. In
 * forced colours the insect and the reeds stand on the line.
 */
export default function SkyShapes() {
  return (
    <>
      <div className="sky-glow forced-colors:hidden" />
      <div className="absolute inset-x-0 top-0 bottom-(--water) [clip-path:inset(-6rem_0_0)] forced-colors:hidden">
        <Drawing viewBox="0 0 320 90" strokeWidth={1} className="sky-stars">
          <path d="M226 11h.01M252 50h.01M289 27h.01M306 62h.01M238 30h.01" strokeWidth={1.6} />
          <path d="M268 12v6M265 15h6M284 46v4M282 48h4" />
        </Drawing>
        <div className="sky-sun">
          <svg aria-hidden="true" focusable="false" viewBox="0 0 84 84">
            <circle cx="42" cy="42" r="42" fill="var(--color-sun)" />
          </svg>
          {/* A picture of its own: only the opacity of whole elements changes without the main thread. */}
          <svg aria-hidden="true" focusable="false" viewBox="0 0 84 84" className="sky-low">
            <circle cx="42" cy="42" r="42" fill="var(--color-sun-low)" />
          </svg>
        </div>
        <svg aria-hidden="true" focusable="false" viewBox="0 0 400 16" preserveAspectRatio="none" className="sky-shore">
          <path d="M0 16V7C22 5 40 2 66 3C92 4 104 9 132 10C160 11 176 8 204 9C232 10 244 14 268 15L282 16ZM352 16C366 12 382 11 400 9V16Z" />
        </svg>
      </div>
      <div className="sky-water forced-colors:hidden">
        <svg aria-hidden="true" focusable="false" className="size-full stroke-edge" strokeLinecap="round">
          <line x1="6%" x2="22%" y1="8" y2="8" />
          <line x1="3%" x2="11%" y1="21" y2="21" />
          <line x1="30%" x2="46%" y1="15" y2="15" />
          <line x1="40%" x2="49%" y1="26" y2="26" />
        </svg>
        <Drawing viewBox="0 0 84 30" className="sky-reflection">
          <path d="m4 5h76m-66 6h52m-38 6h40m-30 6h22m-10 6h6" stroke={DUSK} strokeWidth={2} />
        </Drawing>
      </div>
      <div className="sky-horizon">
        <div className="sky-line" />
      </div>
      <Drawing viewBox="0 0 208 138" className="sky-rings">
        <path d="m20 136h22M30 130h26M74 132h30M56 137h44M110 136h18" stroke={EDGE} />
      </Drawing>
      <Drawing viewBox="0 0 208 138" className="sky-mayfly">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a file of ours */}
        <g transform="translate(61 104)" dangerouslySetInnerHTML={{ __html: MAYFLY }} />
      </Drawing>
      <Reeds className="sky-reeds" />
    </>
  )
}
