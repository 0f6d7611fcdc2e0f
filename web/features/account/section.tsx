import type { ReactNode } from 'react'

/** A form section of the account page: fields at full width, one button below them, as wide on a phone. */
export const FORM = 'flex flex-col items-start gap-2 max-sm:[&>button]:w-full'

export function Section({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <section className="border-line border-t py-8">
      <h2 className="text-lg">{title}</h2>
      <p className="mt-1 mb-5 text-muted">{hint}</p>
      {children}
    </section>
  )
}
