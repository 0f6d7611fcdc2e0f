import { Drawing, DUSK } from './drawing.tsx'

/** Still water with reeds, and a ring where something has touched it: the inbox before the first mail. The mayfly is on the card above. */
export function StillWater() {
  return (
    <Drawing viewBox="0 0 320 110">
      <g strokeWidth="1.25">
        <path d="M34 78C33 56 36 34 42 16M41 78C42 58 44 44 49 30M28 78C27 66 22 54 15 46" />
        <path d="M42.4 15L45.4 4M49.4 28L52.6 17" strokeWidth="4.5" />
      </g>
      <path d="M8 80H96M232 80H306" />
      <g stroke={DUSK}>
        <path d="M146 80C150 76.6 178 76.6 182 80C178 83.4 150 83.4 146 80Z" />
        <path d="M122 80C130 72.4 198 72.4 206 80C198 87.6 130 87.6 122 80Z" strokeWidth="1" />
      </g>
      <path d="M24 92H70M104 98H168M200 95H262M52 104H92" strokeWidth="1" />
    </Drawing>
  )
}
