import { Drawing, DUSK } from './drawing.tsx'
import { Mayfly } from './mayfly.tsx'

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
