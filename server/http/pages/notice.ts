import type { Notice } from '#server/policy/policy.ts'
import { memoryFile, type SiteFile } from './site-files.ts'

const BODY = '<body>'

/** Writes the operator's notice into a page. Each page is made once for a notice. */
export function createNotices(): (page: SiteFile, notice: Notice | undefined) => SiteFile {
  let made = new Map<SiteFile, SiteFile>()
  let madeFor: Notice | undefined
  return (page, notice) => {
    if (!notice) return page
    if (notice.en !== madeFor?.en || notice.es !== madeFor.es) made = new Map()
    madeFor = notice
    const known = made.get(page)
    if (known) return known
    const texts = (['en', 'es'] as const).map(language => `<p lang="${language}">${escapeHtml(notice[language])}</p>`)
    const html = page.bytes.toString('utf8').replace(BODY, () => `${BODY}<aside class="site-notice">${texts.join('')}</aside>`)
    const file = memoryFile(page.type, Buffer.from(html))
    made.set(page, file)
    return file
  }
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
