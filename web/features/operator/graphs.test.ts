import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { LanguageProvider, loadTexts } from '#web/lib/i18n/i18n.tsx'
import { MailGraphs } from './graphs.tsx'

const COUNTS = { delivered: 0, bytes: 0, addresses: 0, botCheckFailures: 0, refused: {}, listed: {}, domains: {} }
const NOW = { ...COUNTS, streams: 0, mailboxes: 0, memoryBytes: 0, loopDelayMs: 0, diskFreeBytes: 0, queue: 0 }

function render(initial: Language, delivered: number): string {
  const graphs = createElement(MailGraphs, { overview: { day: COUNTS, now: { ...NOW, delivered }, points: [] } })
  return renderToStaticMarkup(createElement(LanguageProvider, { initial } as Parameters<typeof LanguageProvider>[0], graphs))
}

test.each(LANGUAGES)('a graph names its table only if it has one (%s)', async language => {
  await loadTexts(language, ['core', 'operator'])
  for (const [delivered, tables] of [
    [0, 0],
    [7, 1],
  ] as const) {
    const html = render(language, delivered)
    expect(html.match(/<table/g) ?? []).toHaveLength(tables)
    expect(html.match(/The table below|La tabla de abajo/g) ?? []).toHaveLength(tables)
  }
})
