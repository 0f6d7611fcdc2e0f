import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useRef } from 'react'

type Tab<Name extends string> = {
  name: Name
  label: ReactNode
  panel: ReactNode
  /** Makes it a link, so that a press before the application has loaded is not lost: the page then reads its URL. */
  href?: string
}
type Props<Name extends string> = {
  label: string
  tabs: readonly Tab<Name>[]
  selected: Name
  onSelect: (name: Name) => void
  /** At the end of their row. */
  aside?: ReactNode
}

/** Tabs as in the ARIA Authoring Practices: one stop for Tab, arrow keys select, Home and End jump. */
export function Tabs<Name extends string>({ label, tabs, selected, onSelect, aside }: Props<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.findIndex(tab => tab.name === selected)

  function onKeyDown(event: KeyboardEvent) {
    const target = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: tabs.length - 1, ' ': current }[event.key]
    if (target === undefined) return
    event.preventDefault()
    const index = (target + tabs.length) % tabs.length
    const next = tabs[index]
    if (next) onSelect(next.name)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus()
  }

  return (
    <>
      <div data-tabs className="flex flex-wrap border-line border-b">
        <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown} className="flex gap-6">
          {tabs.map(tab => {
            const control = {
              role: 'tab',
              id: `${id}-${tab.name}-tab`,
              'aria-selected': tab.name === selected,
              'aria-controls': `${id}-${tab.name}`,
              tabIndex: tab.name === selected ? 0 : -1,
              onClick: (event: MouseEvent) => {
                event.preventDefault()
                onSelect(tab.name)
              },
              className: 'tab inline-flex min-h-12 px-0.5 font-medium',
            }
            return tab.href === undefined ? (
              <button key={tab.name} type="button" {...control}>
                {tab.label}
              </button>
            ) : (
              <a key={tab.name} href={tab.href} {...control}>
                {tab.label}
              </a>
            )
          })}
        </div>
        {aside}
      </div>
      {tabs.map(tab => (
        <div
          key={tab.name}
          role="tabpanel"
          id={`${id}-${tab.name}`}
          aria-labelledby={`${id}-${tab.name}-tab`}
          hidden={tab.name !== selected}
        >
          {tab.name === selected && tab.panel}
        </div>
      ))}
    </>
  )
}
