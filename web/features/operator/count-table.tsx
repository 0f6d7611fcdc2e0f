import { useLanguage } from '#web/lib/i18n/i18n.tsx'

type CountTableProps = { readonly columns: readonly [string, string]; readonly rows: readonly (readonly [name: string, count: number])[] }

export function CountTable({ columns: [name, count], rows }: CountTableProps) {
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  return (
    <table className="w-full max-w-md text-left">
      <thead>
        <tr className="text-muted text-sm">
          <th scope="col" className="py-1 font-medium">
            {name}
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            {count}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([word, counted]) => (
          <tr key={word} className="border-line border-t">
            <td className="py-1.5 font-mono text-sm [overflow-wrap:anywhere]">{word}</td>
            <td className="py-1.5 text-right tabular-nums">{number.format(counted)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
