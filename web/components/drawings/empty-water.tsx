import { Drawing, DUSK } from './drawing.tsx'
import { Mayfly } from './mayfly.tsx'

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
