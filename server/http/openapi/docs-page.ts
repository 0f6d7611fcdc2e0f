/**
 * The API reference at `/api/docs`: a static page in the colours and faces of the site, drawn from the OpenAPI document. It is read without
 * JavaScript; web/lib/api/api-reference.ts adds trying, copying and filtering.
 */
import type { OpenAPIV3_1 } from 'openapi-types'
import { LANGUAGE_NAMES, LANGUAGES, type Language, languageQuery } from '#contract/languages.ts'
import { type ProblemCode, problems } from '#contract/problems.ts'
import { routes } from '#contract/routes.ts'
import { failures } from '#server/errors.ts'
import { escapeHtml } from '#server/platform/escape-html.ts'
import { DOCS_STYLE } from './docs-style.ts'
import docsWords from './docs-words.json' with { type: 'json' }
import type { ApiDocument } from './openapi.ts'

type Operation = OpenAPIV3_1.OperationObject & { 'x-codeSamples'?: readonly { lang: string; source: string }[] }
type Schema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject
type Content = { readonly content?: Record<string, { readonly schema?: Schema; readonly example?: unknown }> }
type Described = { readonly method: string; readonly path: string; readonly operation: Operation }

type DocsFacts = {
  readonly siteName: string
  readonly publicUrl: string
  readonly language: Language
  /** The style sheet of the built site; without it the page is plain. */
  readonly styleSheet: string | undefined
  /** A page of the built site in this language, whose frame this one has too. */
  readonly sitePage: string | undefined
}
/**
 * `lead`, `schemes` and `changes` stand in place of the document's own texts, which are in English. They are empty in an English page, as
 * `partlyEnglish` is.
 */
type DocsWords = (typeof docsWords)['en']
/** What every part of the page needs. `english`: marks text that is in English in every language. */
type Page = DocsFacts & { readonly words: DocsWords; readonly document: ApiDocument; readonly english: string }

/** What people look for first comes first. An operation is in the first group whose pattern finds it by tag and path. */
const GROUPS = {
  addresses: /^Mailboxes/,
  waiting: /^Messages .*\/(?:wait|events)$/,
  mail: /^Messages/,
  webhooks: /^Webhooks/,
  push: /^Push/,
  keys: /^Account .*\/(?:api-keys|mailboxes)/,
  'sign-in': /^Account (?!.*\/passkey)/,
  passkeys: /^Account/,
  site: /^Site/,
} as const
type GroupName = keyof typeof GROUPS

export function docsPage(document: ApiDocument, facts: DocsFacts): string {
  const { language, siteName, styleSheet } = facts
  const words: DocsWords = docsWords[language]
  const page: Page = { ...facts, words, document, english: language === 'en' ? '' : ' lang="en"' }
  const operations = listOperations(document)
  const grouped = Map.groupBy(operations, ({ operation: { tags = [] }, path }) =>
    (Object.keys(GROUPS) as GroupName[]).find(name => GROUPS[name].test(`${tags[0]} ${path}`)),
  )
  const groups = (Object.keys(GROUPS) as GroupName[]).map(name => ({ name, operations: grouped.get(name) ?? [] }))
  const { header, wayBack, shore, footer } = siteFrame(page)
  const title = `${words.title}: ${siteName}`
  const links = LANGUAGES.map(other => `<link rel="alternate" hreflang="${other}" href="${routes.docs}${languageQuery(other)}">`)
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>${links.join('')}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">${styleSheet === undefined ? '' : `<link rel="stylesheet" href="${styleSheet}">`}<style>${DOCS_STYLE}</style>
<script type="module" src="/api-reference.js"></script></head><body data-words="${escapeHtml(JSON.stringify(words.script))}">
<a class="skip-link" href="#content">${words.skip}</a><svg hidden>${ICONS}</svg>${header}
<div class="page-width pt-9">${wayBack}<div class="columns">${navigation(page, groups)}<main id="content"><h1>${words.title}</h1>${introduction(page)}<button type="button" data-unfold hidden>${words.unfold}</button>
${groups.map(group => groupSection(page, group)).join('')}${reference(page)}</main></div></div>${shore}${footer}</body></html>`
}

function listOperations({ paths }: ApiDocument): Described[] {
  return Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Operation })),
  )
}

/** Two of those in web/components/ui/icons.ts. */
const ICONS =
  '<symbol id="icon-copy" viewBox="0 0 24 24"><rect width="14" height="14" x="8" y="8" rx="2"/><path d="m4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2"/></symbol><symbol id="icon-check" viewBox="0 0 24 24"><path d="m20 6-11 11-5-5"/></symbol>'

/** What stands around every page of the site, with a language menu that works by itself. Nothing of it while the site is not built. */
function siteFrame({ sitePage = '', language, siteName }: Page) {
  const part = (pattern: RegExp) =>
    (pattern.exec(sitePage)?.[0] ?? '').replaceAll(/ href="(\/[^"#]*)/g, ` href="$1${languageQuery(language)}`)
  const choices = LANGUAGES.map(
    other =>
      `<a href="${routes.docs}?lang=${other}" hreflang="${other}" lang="${other}" data-language${other === language ? ' aria-current="true"' : ''}>${LANGUAGE_NAMES[other]}</a>`,
  )
  return {
    header: part(/<header .*?<\/header>/s)
      .replace('aria-expanded="false"', 'popovertarget="languages"')
      .replace(' aria-haspopup="menu"', '')
      .replace('</nav>', `<div popover id="languages">${choices.join('')}</div></nav>`),
    wayBack: part(/<div class="way-back.*?<\/div>/s).replace(
      /^<div(.*)div>$/s,
      (_, inner) => `<nav aria-label="${escapeHtml(siteName)}"${inner}nav>`,
    ),
    shore: part(/<div [^>]*class="shore">.*?<\/div><\/div>/s),
    footer: part(/<footer .*?<\/footer>/s),
  }
}

type Group = { readonly name: GroupName; readonly operations: readonly Described[] }

function navigation(page: Page, groups: readonly Group[]): string {
  const { words } = page
  const lists = groups.map(
    ({ name, operations }) =>
      `<p><a href="#${name}">${words.groups[name].title}</a></p><ul>${operations.map(item => `<li>${operationLink(page, item)}</li>`).join('')}</ul>`,
  )
  return `<nav id="operations" aria-label="${words.operations}"><label class="filter" hidden><span class="sr-only">${words.filter}</span><input type="search" placeholder="${words.filter}" autocomplete="off"></label>
<p class="none" hidden>${words.noMatch}</p>${lists.join('')}<p><a href="#schemas">${words.schemas}</a></p><p><a href="#problems">${words.problems}</a></p></nav>`
}

function operationLink({ words }: Page, { method, path, operation }: Described): string {
  const summary = summaryOf(words, operation)
  return `<a href="#${operation.operationId}" data-find="${escapeHtml(`${summary} ${operation.summary} ${method} ${path} ${operation.operationId}`.toLowerCase())}"><span>${inline(summary)}</span>${badge(method)}</a>`
}

/** The document has its own in English. */
function summaryOf({ summaries }: DocsWords, { operationId = '', summary = '' }: Operation): string {
  return (summaries as Readonly<Record<string, string>>)[operationId] ?? summary
}

const badge = (method: string) => `<b class="method ${method.toLowerCase()}">${method}</b>`

function introduction(page: Page): string {
  const { words, document, publicUrl, english } = page
  const schemes = Object.entries(document.components?.securitySchemes ?? {}) as [Credential, OpenAPIV3_1.SecuritySchemeObject][]
  const rows = schemes.map(([name, scheme]) => [
    capitalised(words.names[name]),
    scheme.type === 'http' ? code('Authorization: Bearer …') : code(`Cookie: ${'name' in scheme ? scheme.name : ''}=…`),
    inline(words.schemes[name] || (scheme.description ?? '')),
  ])
  const [lead = '', ...more] = (document.info.description ?? '').split('\n\n')
  return `<div class="lead"${words.lead ? '' : english}>${markdown(words.lead || lead)}</div>${words.partlyEnglish && `<p>${words.partlyEnglish}</p>`}
<dl class="base"><dt>${words.baseUrl}</dt><dd>${code(publicUrl)}</dd></dl>
<p class="links"><a href="/account#api-keys">${words.keys}</a> <a href="${routes.openapi}">openapi.json</a></p>
<section class="part"><h2 id="start">${words.start}</h2>${box(page, 'curl', start(page))}</section>
<section class="part"><h2 id="credentials">${words.credentials}</h2>${table([words.credential, words.howSent, words.meaning], rows)}<div>${markdown(words.changes || more.join('\n\n'))}</div></section>`
}

function start({ words, publicUrl }: Page): string {
  return `# ${words.startAddress}
curl -X POST ${publicUrl}/api/mailboxes \\
  -H "Authorization: Bearer $MAYFLY_API_KEY" \\
  -H 'Content-Type: application/json' -d '{}'

# ${words.startMail}
curl '${publicUrl}/api/mailbox/wait?timeoutSeconds=50' \\
  -H "Authorization: Bearer $MAILBOX_TOKEN"`
}

function groupSection(page: Page, { name, operations }: Group): string {
  const { title, about } = page.words.groups[name]
  return `<section><h2 id="${name}">${title}</h2><p>${about}</p>
<div class="folded">${operations.map(operation => operationDetails(page, operation)).join('')}</div></section>`
}

/** Folded: 53 open operations are 40,000 px. The id is inside, since a browser unfolds what holds the target of a link. */
function operationDetails(page: Page, described: Described): string {
  const { words, english } = page
  const { method, path, operation } = described
  const id = operation.operationId ?? ''
  const about = operation.description === `${operation.summary}.` ? '' : markdown(operation.description ?? '')
  return `<details class="operation" id="operation-${id}"><summary><h3><span class="route">${badge(method)} <code>${escapeHtml(path)
    .replaceAll('/', '/<wbr>')
    .replaceAll(/\{(\w+)\}/g, '<i>{$1}</i>')}</code></span>
<span>${inline(summaryOf(words, operation))}</span></h3></summary><div class="unfolded" id="${id}"><div class="about"><p><a href="#${id}">#${id}</a></p><div${english}>${about}</div>
<p class="who"><b>${words.who}:</b> ${access(page, operation)}.</p>
${parameterList(page, operation)}${bodyList(page, operation)}${responseList(page, operation)}</div>
<div class="code">${samples(page, operation)}${tryForm(page, described)}${example(page, operation)}</div></div></details>`
}

type Credential = keyof DocsWords['names']

function credentialsOf({ security = [] }: Operation): { readonly names: readonly Credential[]; readonly isOptional: boolean } {
  const names = security.flatMap(requirement => Object.keys(requirement) as Credential[])
  return { names, isOptional: security.length === 0 || security.some(requirement => Object.keys(requirement).length === 0) }
}

function access({ words }: Page, operation: Operation): string {
  const { names, isOptional } = credentialsOf(operation)
  const list = names.map(name => words.names[name]).join(words.or)
  if (names.length === 0) return words.everybody
  return (isOptional ? words.allowsMore : words.needs).replace('{names}', list)
}

function parametersOf(operation: Operation): OpenAPIV3_1.ParameterObject[] {
  return (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]
}

function parameterList(page: Page, operation: Operation): string {
  const fields = parametersOf(operation).map(({ name, in: place, required = false, schema, description = '' }) =>
    field(page, { name, type: `${typeText(schema as Schema | undefined)} · ${place}`, isRequired: required, description }),
  )
  return fields.length === 0 ? '' : `<h4>${page.words.parameters}</h4><dl class="fields">${fields.join('')}</dl>`
}

type FieldFacts = { readonly name: string; readonly type: string; readonly isRequired: boolean; readonly description: string }

/** `type` is HTML. */
function field({ words, english }: Page, { name, type, isRequired, description }: FieldFacts): string {
  return `<div><dt>${code(name)} <span class="type"${english}>${type}</span>${isRequired ? ` <em>${words.required}</em>` : ''}</dt>${description === '' ? '' : `<dd${english}>${inline(description)}</dd>`}</div>`
}

function bodyList(page: Page, { requestBody }: Operation): string {
  const schema = (requestBody as Content | undefined)?.content?.['application/json']?.schema
  return schema ? `<h4>${page.words.body} <span class="type">${typeText(schema)}</span></h4>${fieldList(page, schema, true)}` : ''
}

/** The fields of an object, or nothing for any other type. `isInput`: says which are required; a response has all but few. */
function fieldList(page: Page, schema: Schema, isInput: boolean): string {
  const { properties = {}, required = [] } = resolved(page, schema)
  const fields = Object.entries(properties).map(([name, type]) => {
    const isRequired = required.includes(name)
    const shown = `${typeText(type)}${isInput || isRequired ? '' : '?'}`
    return field(page, {
      name,
      type: shown,
      isRequired: isInput && isRequired,
      description: ('description' in type && type.description) || '',
    })
  })
  return fields.length === 0 ? '' : `<dl class="fields">${fields.join('')}</dl>`
}

function resolved({ document }: Page, schema: Schema): OpenAPIV3_1.SchemaObject {
  if (!('$ref' in schema)) return schema
  return (document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}) as OpenAPIV3_1.SchemaObject
}

function responseList(page: Page, { responses = {} }: Operation): string {
  const { words, english } = page
  const described = Object.entries(responses) as [status: string, response: Content & { description: string }][]
  const good = described.filter(([status]) => Number(status) < 300)
  const bad = described.filter(([status]) => Number(status) >= 300)
  const shown = good.map(([status, response]) => {
    const [type, media] = Object.entries(response.content ?? {})[0] ?? []
    const isJson = type === 'application/json' && media?.schema !== undefined
    const what = isJson && media.schema ? typeText(media.schema) : type === undefined ? words.noBody : code(type)
    const fields = isJson && media.schema ? fieldList(page, media.schema, false) : ''
    const head = `<b class="status">${status}</b> <span${english}>${inline(response.description)}</span> <span class="type">${what}</span>`
    return `<li>${head}${fields && `<details><summary>${words.fields}</summary>${fields}</details>`}</li>`
  })
  const refusals = bad.map(([status, { description }]) => {
    const codes = [...description.matchAll(/`(\w+)`/g)].map(([, name = '']) => `<a href="#${name}">${code(name)}</a>`)
    return `<li><b class="status">${status}</b> ${codes.length > 0 ? codes.join(' ') : `<span${english}>${inline(description)}</span>`}</li>`
  })
  return `<h4>${words.responses}</h4><ul class="responses">${shown.join('')}</ul>
<details class="refusals"><summary>${words.refusals} <span class="type">${refusals.length}</span></summary><ul class="responses">${refusals.join('')}</ul></details>`
}

const LANGUAGE_LABELS: Readonly<Record<string, string>> = { Shell: 'curl' }

/** Radio buttons, so that choosing works without JavaScript, by pointer and by arrow keys. */
function samples(page: Page, { operationId = '', 'x-codeSamples': all = [] }: Operation): string {
  const tabs = all.map(({ lang, source }, index) => {
    const label = LANGUAGE_LABELS[lang] ?? lang
    const id = `${operationId}-${lang.toLowerCase()}`
    const input = `<input type="radio" name="${operationId}-sample" id="${id}" value="${lang}"${index === 0 ? ' checked' : ''}>`
    return `${input}<label for="${id}">${label}</label>${box(page, `${operationId}: ${label}`, source)}`
  })
  return `<fieldset class="samples"><legend class="sr-only">${page.words.sample}</legend>${tabs.join('')}</fieldset>`
}

function example(page: Page, { operationId = '', responses = {} }: Operation): string {
  const [status, response] = Object.entries(responses).find(([code]) => Number(code) < 300) ?? []
  const json = (response as Content | undefined)?.content?.['application/json']?.example
  if (json === undefined) return ''
  const shown = box(page, `${operationId}: ${page.words.example}`, JSON.stringify(json, null, 2))
  return `<div class="example"><p class="title"><b class="status">${status}</b> ${page.words.example}</p>${shown}</div>`
}

/** Code that is wider than the screen scrolls, also by the keyboard. */
function box({ words }: Page, label: string, source: string): string {
  return `<div class="box"><pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${highlighted(source)}</code></pre><button type="button" data-copy hidden><svg aria-hidden="true"><use href="#icon-copy"/></svg><span>${words.copy}</span></button></div>`
}

/** Hidden until the page's script is there. */
function tryForm({ words, english }: Page, { method, path, operation }: Described): string {
  const { names } = credentialsOf(operation)
  const id = operation.operationId ?? ''
  const input = (name: string, label: string, attributes: string) =>
    `<label><span>${label}</span><input name="${escapeHtml(name)}" autocomplete="off" spellcheck="false" ${attributes}></label>`
  const secrets = names
    .filter(name => name !== 'sessionCookie')
    .map(name => input('credential', capitalised(words.names[name]), `type="password" data-credential="${name}"`))
  const inputs = parametersOf(operation).map(({ name, in: place, required, schema }) => {
    const example = schema && 'enum' in schema ? String(schema.enum?.[0]) : place === 'path' && name === 'index' ? '0' : ''
    return input(name, code(name), `data-in="${place}" value="${escapeHtml(required ? example : '')}"${required ? ' required' : ''}`)
  })
  const body = (operation.requestBody as Content | undefined)?.content?.['application/json']?.example
  const json = body === undefined ? '' : JSON.stringify(body, null, 2)
  const text =
    body === undefined
      ? ''
      : `<label><span>${words.body}</span><textarea name="body" autocomplete="off" rows="${json.split('\n').length}" spellcheck="false" required${english}>${escapeHtml(json)}</textarea></label>`
  const hints = [
    words.tryHint,
    ...(secrets.length > 0 ? [words.memoryOnly] : []),
    ...(names.includes('sessionCookie') ? [words.cookieUsed] : []),
  ]
  const isDangerous = method === 'DELETE' || /delete|everywhere/i.test(id)
  return `<details class="try" hidden><summary>${words.try}</summary><form data-operation="${id}" data-method="${method}" data-path="${escapeHtml(path)}"${isDangerous ? ' data-dangerous' : ''}>
<p class="hint">${hints.join(' ')}</p>${secrets.join('')}${inputs.join('')}${text}<p class="actions"><button>${words.send}</button><button type="button" data-stop hidden>${words.stop}</button></p></form>
<p class="outcome" role="status"></p><div class="result" hidden><pre tabindex="0" role="region" aria-label="${escapeHtml(`${words.response}: ${id}`)}"><code></code></pre></div></details>`
}

function reference(page: Page): string {
  const { words, document, english } = page
  const schemas = Object.entries(document.components?.schemas ?? {}) as [string, OpenAPIV3_1.SchemaObject][]
  const sections = schemas.map(([name, schema]) => {
    const fields = fieldList(page, schema, false)
    return `<details class="schema"><summary><h3>${escapeHtml(name)}</h3></summary><div class="unfolded" id="schema-${name}"><div${english}>${markdown(schema.description ?? '')}</div>${fields || `<p>${typeText(schema)}</p>`}</div></details>`
  })
  return `<section class="part"><h2 id="schemas">${words.schemas}</h2><div class="folded">${sections.join('')}</div></section>
<section class="part"><h2 id="problems">${words.problems}</h2><p>${inline(words.problemsHint)}</p><div class="folded">${problemList(page)}</div></section>`
}

/** Folded by status, with the codes of each in sight: open, they are 4,500 px on a phone. */
function problemList({ english }: Page): string {
  const codes = Object.keys(failures) as ProblemCode[]
  const byStatus = Map.groupBy(codes, name => problems[name])
  const groups = [...byStatus].sort(([one], [other]) => one - other)
  return groups
    .map(([status, names]) => {
      const fields = names.map(
        name => `<div><dt><code id="${name}">${name}</code></dt><dd${english}>${escapeHtml(failures[name].title)}</dd></div>`,
      )
      return `<details class="problem"><summary><h3><b class="status">${status}</b> <span>${names.map(code).join(' ')}</span></h3></summary><dl class="fields">${fields.join('')}</dl></details>`
    })
    .join('')
}

/** A type in words: `array of <a>Message</a>`. */
function typeText(schema: Schema | undefined): string {
  if (!schema) return 'anything'
  if ('$ref' in schema) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="#schema-${name}">${escapeHtml(name)}</a>`
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map(typeText).join(' or ')
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return enumText(schema.enum)
  if (schema.type === 'array') return `array of ${typeText((schema as OpenAPIV3_1.ArraySchemaObject).items)}`
  if (schema.type === 'object' && schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, type]) => `${code(name)}: ${typeText(type)}`)
    return `object with ${fields.join(', ')}`
  }
  const { minimum, maximum } = schema
  const range = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? ` from ${minimum} to ${maximum}` : ''
  return `${[schema.type ?? 'anything'].flat().join(' or ')}${range}`
}

/** The problem codes are listed once, below. */
const VALUES_SHOWN_MAX = 12

function enumText(values: readonly unknown[]): string {
  return values.length > VALUES_SHOWN_MAX ? 'string' : values.map(value => code(JSON.stringify(value))).join(' or ')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'th scope="col"' | 'td', row: readonly string[]) => row.map(cell => `<${tag}>${cell}</${tag.slice(0, 2)}>`).join('')
  return `<table><thead><tr>${cells('th scope="col"', head)}</tr></thead><tbody>${rows.map(row => `<tr>${cells('td', row)}</tr>`).join('')}</tbody></table>`
}

/** The Markdown that our own descriptions use: paragraphs, bold words and code. */
function markdown(text: string): string {
  const paragraphs = text === '' ? [] : text.split('\n\n')
  return paragraphs.map(paragraph => `<p>${inline(paragraph)}</p>`).join('')
}

function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
}

const code = (text: string) => `<code>${escapeHtml(text)}</code>`
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Comments, strings and the words that carry the structure: enough to find one's way in ten lines. */
const TOKENS = /(^#.*$)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`)|\b(import|from|const|await|for|of|new|with|as|in|print)\b/gm

function highlighted(source: string): string {
  let html = ''
  let end = 0
  for (const match of source.matchAll(TOKENS)) {
    const kind = match[1] !== undefined ? 'note' : match[2] !== undefined ? 'text' : 'word'
    html += `${escapeHtml(source.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(source.slice(end))
}
