import type { ReactNode } from 'react'

export function Section({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <section className="border-line border-t py-8">
      <h2 className="text-lg">{title}</h2>
      <p className="mt-1 mb-5 text-muted">{hint}</p>
      {children}
    </section>
  )
}
