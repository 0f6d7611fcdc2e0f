import { Drawing, DUSK } from '#web/components/drawings/drawing.tsx'
import { Mayfly } from '#web/components/drawings/mayfly.tsx'

/** Sun, horizon, water and the insect on it. What moves is placed by `--left` and `data-light` in styles.css. In forced colours only the line is left. */
export default function SkyShapes() {
  return (
    <>
      <div className="sky-glow forced-colors:hidden" />
      <div className="absolute inset-x-0 top-0 bottom-(--water) overflow-hidden forced-colors:hidden">
        <Drawing viewBox="0 0 320 90" strokeWidth={1} className="sky-stars">
          <path d="M196 34h.01M226 11h.01M252 58h.01M289 27h.01M306 70h.01M170 66h.01" strokeWidth={1.6} />
          <path d="M268 12v6M265 15h6M214 44v4M212 46h4" />
        </Drawing>
        <Drawing viewBox="0 0 84 84" strokeWidth={2} className="sky-sun">
          <circle cx="42" cy="42" r="40" fill={DUSK} fillOpacity=".14" stroke={DUSK} />
        </Drawing>
      </div>
      <div className="sky-water forced-colors:hidden">
        <svg aria-hidden="true" focusable="false" className="size-full stroke-edge" strokeLinecap="round">
          <line x1="6%" x2="22%" y1="7" y2="7" />
          <line x1="3%" x2="11%" y1="20" y2="20" />
          <line x1="30%" x2="46%" y1="14" y2="14" />
          <line x1="40%" x2="49%" y1="25" y2="25" />
          <line x1="90%" x2="97%" y1="15" y2="15" />
        </svg>
        <Drawing viewBox="0 0 84 24" className="sky-reflection">
          <path d="m10 5h64m-54 7h44m-34 7h24" stroke={DUSK} />
        </Drawing>
      </div>
      <div className="sky-horizon">
        <div className="sky-line" />
      </div>
      <Drawing viewBox="0 0 208 138" className="sky-mayfly forced-colors:hidden">
        <g transform="translate(61 104)">
          <Mayfly />
        </g>
      </Drawing>
    </>
  )
}
