import { LIFETIME_SECONDS, PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

const CELL = 'border-line border-b py-2.5 pr-3 text-left align-baseline font-normal'

/** Compares ten minutes with 24 hours, drawn to the same scale. */
export function Comparison() {
  const { compare } = useTexts('auth')
  return (
    <section
      aria-labelledby="compare"
      className="mt-12 lg:mt-14 lg:rounded-lg lg:border lg:border-line lg:bg-raised lg:px-8 lg:pt-7 lg:pb-4"
    >
      <h2 id="compare" className="text-xl">
        {compare.title}
      </h2>
      <table className="mt-2 w-full table-fixed text-sm lg:text-base [&_tbody_tr:last-child>*]:lg:border-b-0">
        <thead>
          <tr className="text-muted">
            <th className={CELL}>
              <span className="sr-only">{compare.title}</span>
            </th>
            <th scope="col" className={CELL}>
              {compare.anonymous}
            </th>
            <th scope="col" className={CELL}>
              {compare.pro}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" className={`${CELL} text-muted`}>
              {compare.lives.label}
            </th>
            <td className={CELL}>
              <Lifetime text={compare.lives.anonymous} part={LIFETIME_SECONDS / PRO_LIFETIME_SECONDS} />
            </td>
            <td className={CELL}>
              <Lifetime text={compare.lives.pro} part={1} />
            </td>
          </tr>
          {compare.rows.map(({ label, anonymous, pro }) => (
            <tr key={label}>
              <th scope="row" className={`${CELL} text-muted`}>
                {label}
              </th>
              <td className={CELL}>{anonymous}</td>
              <td className={CELL}>{pro}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Lifetime({ text, part }: { text: string; part: number }) {
  return (
    <>
      <span className="font-medium">{text}</span>
      <span aria-hidden="true" className="mt-1.5 block h-0.5 bg-line">
        <span style={{ width: `max(3px, ${part * 100}%)` }} className="block h-full bg-dusk forced-colors:bg-[CanvasText]" />
      </span>
    </>
  )
}
