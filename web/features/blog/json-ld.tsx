import { inlineJson } from './structured-data.ts'

export function JsonLd({ data }: { data: unknown }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: data for machines, every < escaped; React would escape quotes too
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: inlineJson(data) }} />
}
