import { Drawing, DUSK } from './drawing.tsx'
import { Mayfly } from './mayfly.tsx'

/** A letter folded into a paper boat with a mayfly on top, and a sun that counts ten minutes. For the article on temporary mail. */
export function LetterBoat({ className, label }: { className?: string; label?: string }) {
  return (
    <Drawing viewBox="0 0 960 480" strokeWidth={2.25} className={className} label={label}>
      <g transform="translate(0 24)">
        <SunDial />
        <path d="M40 316H408M734 316H920" />
        <g transform="translate(603 94)" strokeWidth="1.9">
          <Mayfly />
        </g>
        <g transform="translate(56 0)">
          <Boat />
        </g>
        <g transform="translate(56 0)">
          <Ripples />
        </g>
        <Water />
      </g>
    </Drawing>
  )
}

/** Eleven rays, ten gaps: a minute each. The last three are already spent. */
function SunDial() {
  return (
    <g stroke={DUSK}>
      <path d="M132 316A96 96 0 0 1 324 316" fill="var(--color-sun)" />
      <path d="M114 316H92M119.3 281.1L98.4 274.3M134.7 249.5L117.1 236.7M159.5 224.7L146.7 207.1M191.1 209.3L184.3 188.4M228 203V181M264.9 209.3L271.7 188.4M296.5 224.7L309.3 207.1" />
      <path d="M321.3 249.5L339 236.7M336.7 281.1L357.6 274.3M342 316H364" strokeDasharray="1 8" />
      <path d="M168 336H300M188 352H276M204 368H256M218 384H240" strokeWidth="1.5" />
    </g>
  )
}

function Boat() {
  return (
    <>
      <path d="M300 262L402 372H630L716 256L524 322Z" />
      <path d="M300 262L524 322L630 372M524 322L402 372" strokeWidth="1.25" />
      <path d="M409 291L530 124L622 288" />
      <path d="M530 124L524 322" />
      <g strokeWidth="1.25">
        <path d="M444 285.4C462 284 476 288 492 294M452 273C470 271 482 274 498 280M462 260C476 258 486 260 500 265" />
      </g>
      <g stroke={DUSK} strokeWidth="1.5">
        <path d="M546 246L578 239L586 270L553 278Z" />
        <path d="M556 262C560 252 568 250 574 248M558 266C566 266 574 264 580 262" />
      </g>
    </>
  )
}

function Ripples() {
  return (
    <path
      d="M360 372C372 366 392 366 402 372C420 380 446 380 466 374C490 367 514 367 536 374C560 381 596 380 630 372C646 367 662 367 676 372M386 392C430 402 520 402 572 392C600 387 630 388 654 394M430 412C480 420 560 420 612 411"
      strokeWidth="1.5"
    />
  )
}

function Water() {
  return (
    <path d="M330 400H390M766 386H850M802 406H904M60 352H120M84 372H148M96 428H220M500 436H590M690 430H766M820 432H884" strokeWidth="1.5" />
  )
}
