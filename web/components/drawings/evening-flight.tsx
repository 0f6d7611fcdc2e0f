import { clsx } from 'clsx'
import { Drawing, DUSK } from './drawing.tsx'
import { Mayfly } from './mayfly.tsx'

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
