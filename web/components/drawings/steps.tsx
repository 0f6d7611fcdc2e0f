import { Drawing, DUSK } from './drawing.tsx'

type Props = { className?: string; label?: string }
const VIEW_BOX = '0 0 96 96'

/** Step one: a label with an address on it. */
export function StepGenerated({ className, label }: Props) {
  return (
    <Drawing viewBox={VIEW_BOX} strokeWidth={2} className={className} label={label}>
      <path d="M16 50L32 32H80C82.2 32 84 33.8 84 36V64C84 66.2 82.2 68 80 68H32Z" />
      <circle cx="31" cy="50" r="3.4" />
      <path d="M28 49C18 44 10 36 12 26C13.4 18 22 15 30 18C36 20 38 25 35 29" stroke={DUSK} />
      <path d="M66 50A8 8 0 1 1 58 42C63 42 66 45.4 66 50V52.4C66 57.4 72.6 57 73.4 50.6C74.4 40.6 67 34.8 58 34.8C49.4 34.8 42.8 41.4 42.8 50S49.4 65.2 58 65.2C61 65.2 63.6 64.4 66 63" />
    </Drawing>
  )
}

/** Step two: an address is entered into a form. */
export function StepUseAnywhere({ className, label }: Props) {
  return (
    <Drawing viewBox={VIEW_BOX} strokeWidth={2} className={className} label={label}>
      <path d="M62 76H18C15.8 76 14 74.2 14 72V22C14 19.8 15.8 18 18 18H78C80.2 18 82 19.8 82 22V54" />
      <path d="M14 30H82M21 24H21.1M27 24H27.1M33 24H33.1" />
      <path d="M24 42H46" strokeWidth="1.5" />
      <path d="M72 62V54C72 52.9 71.1 52 70 52H26C24.9 52 24 52.9 24 54V64C24 65.1 24.9 66 26 66H58" />
      <path d="M31 56V62M37 59H37.1M43 59H43.1M49 59H49.1" stroke={DUSK} strokeWidth="2.5" />
      <path d="M64 60L84 68L75 71.4L71 80.4Z" />
    </Drawing>
  )
}

/** Step three: a letter lands on water. */
export function StepReceive({ className, label }: Props) {
  return (
    <Drawing viewBox={VIEW_BOX} strokeWidth={2} className={className} label={label}>
      <path d="M28.3 37.5L70.6 30C72.2 29.7 73.6 30.7 73.9 32.3L77.6 53.6C77.9 55.2 76.8 56.6 75.2 56.9L32.4 64.4C30.8 64.7 29.4 63.6 29.1 62L25.6 41.6C25.2 39.5 26.4 37.9 28.3 37.5Z" />
      <path d="M26 40L50.4 51.6C51.8 52.2 53.2 52 54.2 50.9L73 31.6" />
      <path d="M30 72C40 76.4 62 76.4 72 70M19 74C30 84.6 72 84.6 84 71" />
      <g stroke={DUSK}>
        <path d="M37 12L39.4 25M50 8L52.6 22M63 13L64.8 21" />
      </g>
    </Drawing>
  )
}

/** Step four: the letter turns to dust. */
export function StepDeleted({ className, label }: Props) {
  return (
    <Drawing viewBox={VIEW_BOX} strokeWidth={2} className={className} label={label}>
      <path d="M46 70H16C13.8 70 12 68.2 12 66V34C12 31.8 13.8 30 16 30H58" />
      <path d="M13 32.4L40 53C42 54.6 45 54.6 47 53L60 43" />
      <path d="M64 30H68M74 30H74.1M52 70H56M62 70H62.1M65 39L68 36.6" />
      <g stroke={DUSK} strokeWidth="2.5">
        <path d="M58 62V62.1M64 54V54.1M70 46V46.1M68 64V64.1M74 56V56.1M72 38V38.1M79 48V48.1M80 64V64.1M82 36V36.1M86 54V54.1M88 42V42.1M78 26V26.1M88 28V28.1M90 66V66.1M72 72V72.1M84 74V74.1M84 18V18.1" />
      </g>
    </Drawing>
  )
}
