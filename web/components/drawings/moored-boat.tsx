import { Drawing, DUSK } from './drawing.tsx'

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
