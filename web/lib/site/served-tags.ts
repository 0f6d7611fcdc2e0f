/** What writes the tags of page-tags.ts into served pages: web/entry-server.tsx sets it, so that the browser's files do not hold it. */
import type { ComponentType } from 'react'
import type { PageFacts } from './page-tags.ts'

export const servedTags: { Tags?: ComponentType<{ page: PageFacts }> } = {}
