import { LANGUAGES } from '#contract/languages.ts'
import type { Notice } from '#server/mail/policy.ts'
import { BODY } from './placeholders.ts'
import { memoryFile, type SiteFile } from './site-files.ts'

/** Writes the operator's notice into a page. Each page is written once per notice and cached. */
export function createNoticeWriter(): (page: SiteFile, notice: Notice | undefined) => SiteFile {
  let cache = new Map<SiteFile, SiteFile>()
  let cachedText = ''
  return (page, notice) => {
    if (!notice) return page
    const text = JSON.stringify(notice)
    if (text !== cachedText) cache = new Map()
    cachedText = text
    const known = cache.get(page)
    if (known) return known
    const texts = LANGUAGES.map(language => `<p lang="${language}">${escapeHtml(notice[language])}</p>`)
    const html = page.bytes.toString('utf8').replace(BODY, () => `${BODY}<aside class="site-notice">${texts.join('')}</aside>`)
    const file = memoryFile(page.type, Buffer.from(html), page.inlineScripts)
    cache.set(page, file)
    return file
  }
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
