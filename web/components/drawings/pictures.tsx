import { clsx } from 'clsx'
import { Drawing, DUSK } from './drawing.tsx'
import { ArtificialFly, Mayfly } from './mayfly.tsx'

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

/** The horizon is a field of a form with an address in it: the sun sets behind it, and a mayfly sits on it. For the extension's page. */
export function FieldAtDusk({ className, label }: { className?: string; label?: string }) {
  return (
    <Drawing viewBox="0 0 960 480" strokeWidth={2.25} className={className} label={label}>
      <path d="M536 210A104 104 0 0 1 744 210" stroke={DUSK} fill="var(--color-sun)" />
      <path d="M640 76V52M566 96L553 76M714 96L727 76M512 150L491 138M768 150L789 138" stroke={DUSK} />
      <g transform="translate(312 176) scale(1.3)" strokeWidth="1.75">
        <Mayfly />
      </g>
      <path d="M40 210H136M824 210H920" />
      <rect x="136" y="210" width="688" height="96" rx="14" fill="var(--color-paper)" />
      <g strokeWidth="4">
        <path d="M176 258H262M276 262V262.1M290 258H352M366 262V262.1M380 258H436" />
        <path d="M491 258A7 7 0 1 1 477 258A7 7 0 1 1 491 258V262A6 6 0 0 0 502 262V258A18 18 0 1 0 494 273" strokeWidth="2.5" />
        <path d="M522 258H576M590 262V262.1M604 258H636" />
      </g>
      <path d="M652 236V280" stroke={DUSK} />
      <rect x="744" y="228" width="60" height="60" rx="12" stroke={DUSK} />
      <path d="M756 268H792M761 268A13 13 0 0 1 787 268M774 246V242M792 252L795 249M756 252L753 249" stroke={DUSK} />
      <path d="M548 330H732M568 348H712M588 366H692M604 382H676" stroke={DUSK} strokeWidth="1.5" />
      <g strokeWidth="1.5">
        <path d="M60 250H112M848 256H900M72 340H190M236 340H300M92 372H260M330 356H470M200 404H330M410 398H520M766 352H860M744 384H820M560 420H680M800 412H900" />
      </g>
    </Drawing>
  )
}

/** A mayfly resting on still water at dusk. */
export function EmptyWater({ className, label }: { className?: string; label?: string }) {
  return (
    <Drawing viewBox="0 0 320 190" className={className} label={label}>
      <g stroke={DUSK}>
        <path d="M212 128A34 34 0 0 1 280 128" />
        <path d="M228 136H264M236 143H256M242 150H250" strokeWidth="1" />
      </g>
      <path d="M16 128H92M182 128H304" />
      <g transform="translate(132 116)">
        <Mayfly />
      </g>
      <g strokeWidth="1">
        <path d="M97 147.4C102 150 114 150 119 147.4M117 147C121 149.4 135 149.4 139 147M150 147.4C155 150 167 150 172 147.4" />
        <path d="M84 154C98 160 172 160 188 154M66 161C92 172 180 172 206 161" />
        <path d="M28 141H66M40 176H88M214 170H286M24 155H46" />
      </g>
    </Drawing>
  )
}

/** The setting sun, its reflection on the water, and a mayfly that flies to it. The horizon goes on to the left. */
export function EveningFlight({ className, label }: { className?: string; label?: string }) {
  return (
    <Drawing viewBox="0 0 736 360" strokeWidth={1.25} className={clsx('overflow-visible', className)} label={label}>
      <path d="M-1600 286H470M630 286H736" stroke="var(--color-edge)" />
      <path d="M470 286A80 80 0 0 1 630 286" stroke={DUSK} strokeWidth="1.75" />
      <g stroke={DUSK} strokeWidth="1.25">
        <path d="M478 298H622M496 310H604M512 322H592M526 334H576M538 346H566" />
      </g>
      <g stroke="var(--color-edge)" strokeWidth="1">
        <path d="M40 304H150M210 312H330M90 328H190M360 300H440M660 302H736M640 320H710M280 340H400M20 346H70M640 342H736" />
      </g>
      <g transform="translate(330 150) scale(-1 1) rotate(-14)">
        <Mayfly />
      </g>
      <path d="M40 232C84 264 158 252 166 214C171 188 139 186 143 206C149 228 184 178 190 112" stroke={DUSK} strokeDasharray="1 8" />
    </Drawing>
  )
}

/** A jetty that ends in the water, and a mayfly that has flown away. For the 404 page. */
export function Jetty({ className, label }: { className?: string; label?: string }) {
  return (
    <Drawing viewBox="0 0 480 260" strokeWidth={1.75} className={className} label={label}>
      <path d="M12 132H236M12 142H228M236 132L228 142" />
      <path d="M44 132L41 142M78 132L75 142M112 132L109 142M146 132L143 142M180 132L177 142M212 132L209 142" strokeWidth="1.25" />
      <path d="M50 142V204M60 142V204M128 142V204M138 142V204M200 142V204M210 142V204M200 132V112C200 109 210 109 210 112V132" />
      <path d="M60 150L128 186M128 150L60 186" strokeWidth="1.25" />
      <path d="M252 136L272 139M286 142L298 145" strokeWidth="1.25" />
      <path d="M222 118C240 92 268 98 272 116C275 130 258 132 257 120C256 104 280 86 294 72" stroke={DUSK} strokeDasharray="1 7" />
      <g transform="translate(388 84) scale(-.62 .62) rotate(-10)" strokeWidth="2.4">
        <Mayfly />
      </g>
      <g strokeWidth="1.25">
        <path d="M40 204C48 209 62 209 70 204M118 204C126 209 140 209 148 204M190 204C198 209 212 209 220 204M12 204H30M80 204H108M158 204H180M232 204H468" />
        <path d="M34 214H76M112 214H154M184 214H226M60 226H140M260 220H340M300 232H420M160 240H240M384 216H452" />
      </g>
      <path d="M268 204A30 30 0 0 1 328 204" stroke={DUSK} />
    </Drawing>
  )
}

/** A rowing boat tied to a post. For the offline page. */
export function MooredBoat({ className, label }: { className?: string; label?: string }) {
  return (
    <Drawing viewBox="0 0 320 190" className={className} label={label}>
      <path d="M56 146V64C56 60.6 66 60.6 66 64V146M56 76H66M56 82H66" />
      <path d="M66 79C74 112 92 122 106 104" stroke={DUSK} />
      <path d="M104 102C140 116 206 116 262 96" />
      <path d="M104 102C108 122 120 138 140 146M262 96C258 120 246 138 226 146" />
      <path d="M106 113C144 127 206 127 259 108M113 128C146 138 216 138 250 124" strokeWidth="1" />
      <path d="M150 111.6C152 106 158 103.6 168 103.6H208C214 103.6 218 106 220 108" strokeWidth="1" />
      <path d="M132 100L236 84M236 84C244 79 258 77 264 79C262 84 250 88 238 87Z" />
      <path d="M20 146H50M72 146H300" />
      <path d="M48 152H76M120 156H240M142 164H212M30 160H72M250 158H290M84 172H132M196 174H262" strokeWidth="1" />
      <path d="M150 52A19 19 0 1 0 175 28A23 23 0 0 1 150 52Z" stroke={DUSK} />
    </Drawing>
  )
}
