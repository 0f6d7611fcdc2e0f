import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from '#web/lib/routing/router.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'md' | 'lg'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-glow text-on-dusk hover:bg-glow-strong forced-colors:border',
  secondary: 'border border-edge bg-transparent text-ink hover:border-ink hover:bg-sunken',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'danger',
}
const SIZES: Record<ButtonSize, string> = {
  md: 'min-h-11 min-w-11 whitespace-nowrap px-4 text-base',
  lg: 'min-h-13 px-6 text-lg',
}

/** Button styles for links. Use one `primary` per screen. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md', className?: string): string {
  return clsx(
    'inline-flex select-none items-center justify-center gap-2 rounded-md font-medium leading-tight',
    'transition-[background-color,border-color,opacity,transform] duration-150 ease-out active:translate-y-px',
    'disabled:pointer-events-none disabled:opacity-55 aria-disabled:pointer-events-none aria-disabled:opacity-55',
    '[&_svg]:size-[1.125em] [&_svg]:shrink-0',
    VARIANTS[variant],
    SIZES[size],
    className,
  )
}

type Look = { variant?: ButtonVariant; size?: ButtonSize; children: ReactNode }

export function Button({ variant, size, className, type = 'button', ...props }: Look & ComponentProps<'button'>) {
  return <button type={type} className={buttonClass(variant, size, className)} {...props} />
}

/** A link within the site that looks like a button. */
export function ButtonLink({ variant, size, className, ...props }: Look & ComponentProps<typeof Link>) {
  return <Link className={buttonClass(variant, size, className)} {...props} />
}
