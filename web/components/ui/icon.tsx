import type { ComponentProps, ReactNode } from 'react'

export type Icon = (props: ComponentProps<'svg'>) => ReactNode

/** An icon in the manner of Lucide: lines two units wide in a field of 24. `shapes`: the markup inside its `<svg>`. */
export function icon(shapes: string): Icon {
  return props => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={24}
      height={24}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: written by lab/pictures/icons.ts from a package of ours
      dangerouslySetInnerHTML={{ __html: shapes }}
    />
  )
}
