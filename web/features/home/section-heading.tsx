import { clsx } from 'clsx'

/** Title and one sentence, the same in all three sections. */
export function SectionHeading({ title, intro, className }: { title: string; intro: string; className?: string }) {
  return (
    <div className={clsx('max-w-[44ch]', className)}>
      <h2 className="text-2xl">{title}</h2>
      <p className="mt-3 text-lg text-muted">{intro}</p>
    </div>
  )
}
