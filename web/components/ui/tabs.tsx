import { clsx } from 'clsx'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

type Tab<Name extends string> = { name: Name; label: ReactNode; panel: ReactNode }
type Props<Name extends string> = { label: string; tabs: readonly Tab<Name>[]; selected: Name; onSelect: (name: Name) => void }

/** Tabs as in the ARIA Authoring Practices: one stop for Tab, arrow keys select, Home and End jump. */
export function Tabs<Name extends string>({ label, tabs, selected, onSelect }: Props<Name>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.findIndex(tab => tab.name === selected)

  function onKeyDown(event: KeyboardEvent) {
    const target = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    const index = (target + tabs.length) % tabs.length
    const next = tabs[index]
    if (next) onSelect(next.name)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus()
  }

  return (
    <>
      <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown} className="flex gap-6 border-line border-b">
        {tabs.map(tab => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}-tab`}
            aria-selected={tab.name === selected}
            aria-controls={`${id}-${tab.name}`}
            tabIndex={tab.name === selected ? 0 : -1}
            onClick={() => onSelect(tab.name)}
            className={clsx(
              '-mb-px min-h-12 border-b-2 px-0.5 font-medium transition-colors duration-150 ease-out',
              tab.name === selected ? 'border-dusk text-ink' : 'border-transparent text-muted hover:text-ink',
            )}
          >
            {tab.label}
          </button>
        ))}
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
