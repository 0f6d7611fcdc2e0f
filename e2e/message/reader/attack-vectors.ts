/** The hostile mails of test/fixtures/html/vectors.json, each vector aimed at a sink server that records every request. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import * as z from 'zod/mini'

export type Vector = { id: string; html: string }

const fixture = resolve(import.meta.dirname, '../../../test/fixtures/html/vectors.json')
export const vectors: readonly Vector[] = z.parse(
  z.array(z.object({ id: z.string(), html: z.string() })),
  JSON.parse(readFileSync(fixture, 'utf8')),
)

/** `sink` is a host with its port. Each vector requests its own path there. */
export function aim({ id, html }: Vector, sink: string): Vector {
  const aimed = html
    .replaceAll('{{sinkNoScheme}}', `//${sink}/${id}`)
    .replaceAll('{{sinkHost}}', `${sink}/${id}`)
    .replaceAll('{{sink}}', `http://${sink}/${id}`)
    .replaceAll('{{id}}', id)
  return { id, html: aimed }
}

/**
 * As few mails as possible: vectors that close their own markup share a mail, each in its own box with its own rules. A vector that
 * swallows the rest of a mail (an open comment, a `<body>`) gets its own.
 */
export async function packMails(page: Page, aimed: readonly Vector[]): Promise<string[]> {
  return page.evaluate(all => {
    const boxed = all.map(({ id, html }) => {
      const own = html.replace(/(?<=[>}{])p(?=(?:::before|:has\(b\))?\{)/g, `#${id} p`)
      return { own, box: `<div id="${id}">${own}</div>` }
    })
    const isClosed = ({ own, box }: { own: string; box: string }) => {
      if (/<(?:html|body|base|frameset|meta)\b/i.test(own)) return false
      const parsed = new DOMParser().parseFromString(`${box}<i id="after"></i>`, 'text/html')
      // `<img name=getElementById>` hides the document's own.
      const after = Document.prototype.getElementById.call(parsed, 'after')
      return after?.parentElement?.localName === 'body' && after.previousElementSibling?.localName === 'div'
    }
    const together = boxed.filter(isClosed).map(({ box }) => box)
    const alone = boxed.filter(vector => !isClosed(vector)).map(({ own }) => own)
    return [...(together.length > 0 ? [together.join('\n')] : []), ...alone].map(html => `<p>Before</p>\n${html}`)
  }, aimed)
}
