/** What writes the tags of link previews into served pages: web/entry-server.tsx sets it, so that the browser's files do not hold it. */
import type { ReactNode } from 'react'
import type { SocialPage } from './social-tags.ts'

export const servedTags: { render: (page: SocialPage) => ReactNode } = { render: () => null }
