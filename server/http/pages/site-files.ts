/** The built site in memory: pages and assets, with this deployment's origin, name and configuration filled in. */

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { DEFAULT_LANGUAGE, LANGUAGES } from '#contract/languages.ts'
import { fillIn, lifetimeTexts } from '#contract/limits.ts'
import { quotaTexts } from '#contract/quota.ts'
import type { SiteConfig } from '#contract/site.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { Config } from '#server/platform/config/config.ts'
import { DEFAULT_DOMAIN } from '#server/platform/config/settings.ts'
import { escapeHtml } from '#server/platform/escape-html.ts'
import type { BotCheck } from '../bot-check/bot-check.ts'

/**
 * Files that depend on the deployment are compressed here, once, on first use. Level 5 is within 3 % of the best at a tenth of the time.
 */
const BROTLI_QUALITY = 5

const TYPES = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
  ['.xml', 'application/xml; charset=utf-8'],
  ['.zip', 'application/zip'],
])
const COMPRESSIBLE = /^(?:text|application|image\/svg)/

export type Encoding = 'br' | 'gzip'
export type SiteFile = {
  readonly type: string
  readonly etag: string
  readonly bytes: Buffer
  /** Sources for the `script-src` of the content security policy: hashes of the scripts inside this file. */
  readonly inlineScripts: readonly string[]
  /** `undefined` if compression does not make it smaller. */
  encoded(encoding: Encoding): Promise<Buffer | undefined>
}
/** Keyed by path from the site's root, e.g. `/assets/index-1a2b.js`, `/pages/en/blog/index.html`. */
export type SiteFiles = ReadonlyMap<string, SiteFile>

/** Values that a build does not know, filled in when files are served. */
type SiteFacts = { readonly publicUrl: string; readonly config: SiteConfig }

/** `undefined` if the site has not been built. Source maps and unknown file types are left out. */
export async function loadSiteFiles(folder: string, facts: SiteFacts): Promise<SiteFiles | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const present = new Set(paths)
  const files = new Map<string, SiteFile>()
  for (const path of paths) {
    const type = TYPES.get(extname(path))
    if (!type) continue
    const compressed = present.has(`${path}.br`) ? `${path}.br` : undefined
    files.set(`/${relative(folder, path).split(sep).join('/')}`, await loadFile(path, compressed, type, facts))
  }
  return files.has('/pages/en/index.html') ? files : undefined
}

/** A file created at run time, e.g. a page with a notice. Compressed once, on first use. */
export function memoryFile(type: string, bytes: Buffer, inlineScripts: readonly string[] = []): SiteFile {
  const cache = new Map<Encoding, Promise<Buffer>>()
  return {
    type,
    etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    bytes,
    inlineScripts,
    async encoded(encoding) {
      if (!COMPRESSIBLE.test(type)) return undefined
      const known = cache.get(encoding) ?? compress(bytes, encoding)
      cache.set(encoding, known)
      return known
    },
  }
}

function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes)
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
}

async function loadFile(path: string, compressedPath: string | undefined, type: string, facts: SiteFacts): Promise<SiteFile> {
  const original = await readFile(path)
  const isOurs = original.includes(ORIGIN_PLACEHOLDER) || TEXT_ESCAPES.has(extname(path))
  const bytes = isOurs ? Buffer.from(fillInFacts(original.toString('utf8'), extname(path), facts)) : original
  const file = memoryFile(type, bytes, extname(path) === '.html' ? hashInlineScripts(original.toString('utf8')) : [])
  if (!compressedPath || isOurs || !COMPRESSIBLE.test(type)) return file
  let compressed: Promise<Buffer> | undefined
  return {
    ...file,
    encoded(encoding) {
      if (encoding !== 'br') return file.encoded(encoding)
      // One copy for all readers. Where no more files can be opened, the next request tries again.
      compressed ??= readFile(compressedPath).catch(error => {
        compressed = undefined
        throw error
      })
      return compressed
    },
  }
}

/**
 * The hashes are of the file as it was built: a script that got in with the values of this deployment is not allowed by them. Data
 * (JSON-LD) has a type, and a script of its own file a source.
 */
function hashInlineScripts(html: string): string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
}

/** How the site name is escaped in each type of file with texts. A backslash would end a string of the structured data. */
const TEXT_ESCAPES = new Map<string, (name: string) => string>([
  ['.html', name => escapeHtml(name).replaceAll('\\', '&#92;')],
  ['.webmanifest', name => JSON.stringify(name).slice(1, -1)],
  ['.txt', name => name],
])

function fillInFacts(text: string, extension: string, { publicUrl, config }: SiteFacts): string {
  const escapeText = TEXT_ESCAPES.get(extension)
  const language = LANGUAGES.find(known => text.includes(`<html lang="${known}"`)) ?? DEFAULT_LANGUAGE
  const limits = { ...lifetimeTexts(language, config.lifetimeSeconds), ...quotaTexts(config) }
  const ours = (texts: string) =>
    fillIn(texts, limits)
      .replaceAll(SITE_NAME, () => escapeText?.(config.siteName) ?? '')
      .replaceAll(SUPPORT_EMAIL, () => escapeHtml(config.supportEmail))
  return (escapeText ? ours(text) : text)
    .replaceAll(FOOTER_LINK, (link, name: string) => fillInLink(link, name, config))
    .replaceAll(ORIGIN_PLACEHOLDER, () => publicUrl)
    .replace(CONFIG_PLACEHOLDER, () => ` data-config="${escapeHtml(JSON.stringify(config))}"`)
}

/** In prerendered pages the footer's links lead there (web/lib/site/site-config.ts). */
const FOOTER_LINK = /<a href="https:\/\/mayfly\.invalid\/(partner|source)".*?<\/a>/gs

/** A link of the footer with the deployment's URL, or nothing. */
function fillInLink(link: string, name: string, { partnerUrl, sourceUrl }: SiteConfig): string {
  const url = name === 'partner' ? partnerUrl : sourceUrl
  return url ? link.replace(`${ORIGIN_PLACEHOLDER}/${name}`, () => escapeHtml(url)) : ''
}

/** The public URL, which scripts/build/prerender.ts writes. */
export const ORIGIN_PLACEHOLDER = 'https://mayfly.invalid'
/** Where pages find the configuration without a request for `GET /api/config`. */
export const CONFIG_PLACEHOLDER = ' data-config=""'
/** The name in texts, pages and manifest until a deployment sets its own. */
export const SITE_NAME = 'Mayfly'
/** The address that prerendered pages name (web/lib/site/site-config.ts). */
const SUPPORT_EMAIL = `support@${DEFAULT_DOMAIN}`
/** The operator's notice follows it. */
export const BODY = '<body>'

/** What pages need to know about this deployment: part of `GET /api/config`, and written into every served page. */
export function toSiteConfig(config: Config, { offered, supportEmail }: MailDomains, { provider }: BotCheck): SiteConfig {
  const {
    siteName,
    lifetimeSeconds,
    messageBytesMax,
    quota,
    contactDays,
    partnerUrl,
    operatorName,
    sourceUrl,
    authenticateMail: authenticatesMail,
  } = config
  return {
    siteName,
    domains: [...offered],
    lifetimeSeconds,
    messageBytesMax,
    messagesMax: quota.messagesMax,
    supportEmail,
    contactDays,
    partnerUrl,
    operatorName,
    ...(sourceUrl !== undefined && { sourceUrl }),
    authenticatesMail,
    botCheck: provider,
  }
}
