import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & { label: string; children: ReactNode }

/** A button with only an icon; `label` is its accessible name and tooltip. 44 px, for fingers. */
export function IconButton({ label, className, children, type = 'button', ...props }: Props) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={clsx(
        'inline-grid size-11 shrink-0 place-items-center rounded-md text-muted transition-colors duration-150 ease-out',
        'hover:bg-sunken hover:text-ink disabled:pointer-events-none disabled:opacity-55 [&_svg]:size-5',
        className,
      )}
      {...props}
    >
      {children}
    </button>
  )
}
