import { Drawing, DUSK } from './drawing.tsx'
import { ArtificialFly, Mayfly } from './mayfly.tsx'

/** A trout looks up at two mayflies in the evening sun, one of which is tied to a hook. For the article on phishing. */
export function MayflyAndLure({ className, label }: { className?: string; label?: string }) {
  return (
    <Drawing viewBox="0 0 960 480" strokeWidth={2.25} className={className} label={label}>
      <path d="M366 218A90 90 0 0 1 546 218" stroke={DUSK} fill="var(--color-sun)" />
      <g transform="translate(246 176) scale(1.35)" strokeWidth="1.7">
        <Mayfly />
      </g>
      <g transform="translate(660 182) scale(1.35)" strokeWidth="1.7">
        <ArtificialFly />
      </g>
      <path d="M623 186C560 170 520 90 566 0" stroke={DUSK} strokeWidth="1.5" />
      <Surface />
      <g transform="translate(470 362) rotate(12)">
        <Trout />
      </g>
    </Drawing>
  )
}

function Surface() {
  return (
    <>
      <path d="M40 218H204M298 218H616M752 218H920" />
      <g strokeWidth="1.5">
        <path d="M202 219C208 223 222 223 228 219M232 220C237 223 247 223 252 220M274 219C280 223 294 223 300 219M186 230C226 243 280 243 318 230" />
        <path d="M628 222C640 228 656 228 666 222M694 222C706 228 726 228 738 222M612 236C650 249 726 249 766 236" />
        <path d="M60 244H150M84 262H124M420 238H520M800 246H900M836 262H880" />
      </g>
    </>
  )
}

/** Nose at the left; origin in the middle of the body. */
function Trout() {
  return (
    <>
      <path d="M-190 2C-150-36-70-58 20-48C82-42 130-22 168-10C186-20 206-34 226-40C218-20 216-2 218 10C220 24 226 38 236 50C212 46 188 34 168 20C120 34 70 50 10 52C-70 56-148 36-190 2Z" />
      <path d="M-190 2C-180 8-168 11-154 10" />
      <path d="M-122-34C-104-16-102 14-120 34" />
      <path d="M-112-30C-96-14-94 12-110 32" strokeWidth="1.25" />
      <circle cx="-150" cy="-10" r="8" />
      <circle cx="-151" cy="-11" r="3" fill="currentColor" stroke="none" />
      <path d="M-30-52C-18-76 10-84 34-82C32-70 38-56 52-44M104-32C112-44 124-50 134-48C132-40 134-32 140-22" />
      <path d="M-88 28C-78 46-60 56-40 56C-46 44-60 30-74 24Z" />
      <path d="M30 51C36 66 50 74 66 74C64 62 66 52 72 42M104 37C112 48 124 54 136 52C132 42 132 34 134 29" />
      <path d="M-94 0C-20-8 80-4 164 4" strokeWidth="1.25" />
      <path d="M186-6L212-18M186 4H208M186 12L210 24M-12-60L-6-74M6-56L14-76M22-52L30-72" strokeWidth="1.25" />
      <g stroke={DUSK} strokeWidth="4">
        <path d="M-66-26V-26.1M-40-34V-34.1M-34-20V-20.1M-10-36V-36.1M4-22V-22.1M34-32V-32.1M56-18V-18.1M84-24V-24.1M108-14V-14.1M-60-10V-10.1M-10-12V-12.1M30-12V-12.1M134-8V-8.1M-30 14V14.1M20 14V14.1M66 12V12.1" />
      </g>
    </>
  )
}
