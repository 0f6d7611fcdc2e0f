import type { ComponentProps } from 'react'

/** Stands for a `<div>` of the served page whose nodes React leaves alone. Only while the page hydrates. */
export function ServedNodes(props: Omit<ComponentProps<'div'>, 'children'>) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it is empty, and never written during hydration; its only effect is that the served nodes stay
  return <div {...props} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
}
