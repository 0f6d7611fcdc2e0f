import { Drawing, DUSK } from './drawing.tsx'

/**
 * The insect itself, facing left, its feet on y = 30. Origin: the middle of the thorax. About 190 × 135 units. `wings` is the colour that
 * its wings have like gauze in front of something.
 */
export function Mayfly({ wings = 'none' }: { wings?: string }) {
  return (
    <g>
      <g fill={wings} fillOpacity=".5">
        <FarWing />
      </g>
      <Body />
      <Tails />
      <NearWing wings={wings} />
      <Legs />
    </g>
  )
}

/** An angler's imitation of it, tied on a hook: right at a glance, wrong where the legs should be. Same origin and size. */
export function ArtificialFly() {
  return (
    <g>
      <FarWing />
      <Body />
      <Tails />
      <NearWing />
      <HookAndHackle />
    </g>
  )
}

function Body() {
  return (
    <>
      <path d="M-13 2C-14-7-6-12 3-11C10-10 14-5 14 0C13 6 4 8-4 7C-9 6.5-12.5 5-13 2Z" />
      <circle cx="-17.2" cy="-.8" r="4.4" />
      <circle cx="-18.6" cy="-1.8" r="1.3" fill="currentColor" stroke="none" />
      <path d="M-20.6-4C-23-7-25.5-8.4-29-8.6" />
      <path d="M13.6-2.4C31-2.6 52-6 68-16C70-17 71.4-15.2 70-13.6C54 .4 31 6.2 11 5.2" />
      <path
        d="M22-2.7C23.6-.4 23.8 2.4 22.6 5M31.4-4C33-1.8 33.2 1 32.2 3.8M40.4-5.8C42-3.8 42.2-1 41.2 1.6M49-8.4C50.4-6.4 50.6-4 49.8-1.6M57-11.4C58.2-9.6 58.6-7.6 57.8-5.6"
        strokeWidth="1"
      />
    </>
  )
}

function Tails() {
  return <path d="M69.6-15.4C88-27 102-45 109-70M69.8-15C91-25 114-37 131-55M70-14.4C92-19 118-22 142-32" strokeWidth="1" />
}

function NearWing({ wings }: { wings?: string }) {
  return (
    <>
      <path fill={wings} fillOpacity=".5" d="M-3-11C-9-38-3-74 18-98C22-102.6 28-102 31-96.6C44-72 49-50 41-36C34-24 18-15 5-10.6" />
      <g stroke={DUSK} strokeWidth="1">
        <path d="M-1.4-14C-4-42 4-74 24-97" />
        <path d="M-.4-14.6C0-42 10-68 32.6-92" />
        <path d="M.8-15C5-40 17-62 38-80" />
        <path d="M2-15.2C10-36 23-54 42.6-66" />
        <path d="M3.4-15C14-31 27-44 44.4-52" />
        <path d="M5-14.6C17-26 29-35 43-40" />
        <path d="M1.4-47L6-49M5.2-63.4L11.4-65.6M12.6-78L19-80.4M12.4-41L16.6-45M21-55L26.2-59.4M31.6-66.6L36.4-71" />
      </g>
      <path d="M9-10C20-19 33-23 41-20.4C45-17 36-8 15-4.6" />
      <path d="M13-8.6C22-13 31-16.4 38-17.4" stroke={DUSK} strokeWidth="1" />
    </>
  )
}

function FarWing() {
  return <path d="M-6-11.4C-21-36-23-66-9-92C-6-97.6 1.4-98 5.4-93.4C7.2-91.2 8.8-89 10-87" />
}

function Legs() {
  return (
    <>
      <path d="M-9 6.2C-17 8.6-25 6-31-2C-37-8.6-46-7.4-55 1" />
      <path d="M-10.6 5.4C-20 6.4-29 1-35-8C-41-14-49-13.4-58-7" strokeWidth="1" />
      <path d="M-3 7.4C-8 11-11 14-12 17C-17 21-21 25-24 30" />
      <path d="M1 7.6C3 12 4 15 3 18C0 22-3 26-4 30" strokeWidth="1" />
      <path d="M7 7C13 10 17 12 19 15C23 20 26 25 29 30" />
    </>
  )
}

/** Hackle wound around the hook imitates legs, and thread holds the body to the shank. */
function HookAndHackle() {
  return (
    <>
      <path
        d="M-9 6L-17 19M-6.4 7L-11.4 23M-3 7.4L-5.4 25M.6 7.6L1.2 25.6M4 7.4L7.6 24.4M7.4 6.8L13.4 21.6M10.4 5.4L18.6 18"
        strokeWidth="1"
      />
      <path d="M-12.4-3L-8.6 6.6M-8.4-7L-3.4 7.2M-3.6-9.4L1.8 7.6M1.8-10.6L7 7M7.2-10L11.4 4.4" strokeWidth="1" />
      <g stroke={DUSK} strokeWidth="2">
        <circle cx="-25" cy="3" r="3" />
        <path d="M20 8.6L44 6.4C66 4.6 70 38 48 40C39.6 40.6 35.6 34 36 26L40.6 30.4" />
      </g>
    </>
  )
}

/** Reeds that stand in the water at its near shore. */
export function Reeds({ className }: { className?: string }) {
  return (
    <Drawing viewBox="0 0 60 90" strokeWidth={1.25} className={className}>
      <path d="m48 90C48 66 46 44 41 24M55 90C54 62 55 40 58 22M44 90C43 76 38 62 28 52M51 90C50 74 50 62 52 48M40 90C39 80 34 72 26 68" />
      <path d="m40.6 22L38.4 11M52.4 45L53.6 35" strokeWidth={4} />
    </Drawing>
  )
}
