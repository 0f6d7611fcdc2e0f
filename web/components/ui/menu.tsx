import clsx from 'clsx'
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { Check } from './icons.ts'
import { usePopover } from './popover.ts'

export type MenuItem = {
  readonly label: string
  readonly act: () => void
  readonly icon?: ReactNode
  /** Says of one of several choices, which has no icon, whether it is the present one. */
  readonly isChosen?: boolean
  readonly lang?: string
  readonly className?: string
}

/** A menu button, for rare actions. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const { isOpen, leave, root, button } = usePopover()
  return (
    <div {...root} className="relative">
      <IconButton label={label} aria-haspopup="menu" {...button}>
        <svg aria-hidden="true" viewBox="0 0 24 24" fill="currentColor">
          <path d="M5 10.4a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2m7 0a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2m7 0a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2" />
        </svg>
      </IconButton>
      {isOpen && (
        <MenuItems label={label} items={items} onChosen={leave} className="absolute right-0 mt-1 min-w-[min(17rem,calc(100vw-2.5rem))]" />
      )}
    </div>
  )
}

/** The open menu below its button, with the keys and focus of the ARIA Authoring Practices. A library's would be far larger. */
export function MenuItems({ label, items, onChosen, style, className }: MenuItemsProps) {
  return (
    <div
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={moveInMenu}
      style={style}
      className={clsx('z-40 animate-fade rounded-md border border-line bg-raised py-1.5 shadow-lift', className)}
    >
      {items.map((item, index) => (
        <button
          key={item.label}
          type="button"
          {...(item.isChosen === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': item.isChosen })}
          lang={item.lang}
          // biome-ignore lint/a11y/noAutofocus: opening a menu moves the focus into it
          autoFocus={item.isChosen ?? index === 0}
          onClick={() => {
            onChosen()
            item.act()
          }}
          className={clsx(
            'flex min-h-11 w-full items-center gap-3 px-4 text-left hover:bg-sunken focus-visible:bg-sunken focus-visible:outline-offset-[-2px]',
            '[&_svg]:size-4.5 [&_svg]:shrink-0',
            item.className,
          )}
        >
          {item.isChosen === undefined ? (
            <span className="text-muted">{item.icon}</span>
          ) : (
            <Check aria-hidden="true" strokeWidth={2} className={item.isChosen ? 'text-dusk-ink' : 'invisible'} />
          )}
          {item.label}
        </button>
      ))}
    </div>
  )
}

type MenuItemsProps = {
  readonly label: string
  readonly items: readonly MenuItem[]
  /** Called before the item acts. */
  readonly onChosen: () => void
  readonly style?: CSSProperties | undefined
  readonly className: string
}

/** Arrow keys, Home and End move the focus among the items. */
function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const current = items.indexOf(document.activeElement as HTMLElement)
  const target = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: items.length - 1 }[event.key]
  if (target === undefined) return
  event.preventDefault()
  items[(target + items.length) % items.length]?.focus()
}
