import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { useMenu } from './popover.ts'

export type MenuItem = { readonly label: string; readonly icon: ReactNode; readonly act: () => void }

/** A menu button as in the ARIA Authoring Practices, for rare actions. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const { isOpen, leave, root, button } = useMenu()
  return (
    <div {...root} className="relative">
      <IconButton label={label} {...button}>
        <svg aria-hidden="true" viewBox="0 0 24 24" fill="currentColor">
          <path d="M5 10.4a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2m7 0a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2m7 0a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2" />
        </svg>
      </IconButton>
      {isOpen && (
        <div
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className="absolute right-0 z-40 mt-1 min-w-68 animate-fade rounded-md border border-line bg-raised py-1.5 shadow-lift"
        >
          {items.map((item, index) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              // biome-ignore lint/a11y/noAutofocus: opening a menu moves the focus into it
              autoFocus={index === 0}
              onClick={() => {
                leave()
                item.act()
              }}
              className="flex min-h-11 w-full items-center gap-3 px-4 text-left hover:bg-sunken focus-visible:bg-sunken focus-visible:outline-offset-[-2px] [&_svg]:size-4.5 [&_svg]:shrink-0 [&_svg]:text-muted"
            >
              {item.icon}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
