import type { Message } from '#contract/mailbox.ts'

/** All headers in order, as text. */
export function HeadersView({ headers }: { headers: Message['headers'] }) {
  // A name may occur twice, so the position in the list is the only key.
  const rows = headers.map((header, at) => ({ ...header, at }))
  return (
    <dl className="divide-y divide-line px-5 py-2 text-sm sm:px-6" data-testid="headers">
      {rows.map(({ name, value, at }) => (
        <div key={at} className="grid gap-x-4 py-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <dt className="text-muted [overflow-wrap:anywhere]">{name}</dt>
          <dd className="font-mono [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
