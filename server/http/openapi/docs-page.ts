/** The API reference at `/api/docs`: one static page without scripts or third-party resources, drawn from the OpenAPI document. */
import type { OpenAPIV3_1 } from 'openapi-types'
import { problems } from '#contract/problems.ts'
import { type FailureCode, failures } from '#server/errors.ts'
import type { ApiDocument } from './openapi.ts'

type Operation = OpenAPIV3_1.OperationObject & { 'x-codeSamples'?: readonly { label: string; source: string }[] }
type Schema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject
type Content = { readonly content?: Record<string, { schema?: Schema }> }
type Described = { readonly method: string; readonly path: string; readonly operation: Operation }

export function docsPage(document: ApiDocument, publicUrl: string): string {
  const operations = listOperations(document)
  const groups = (document.tags ?? []).map(({ name, description = '' }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags?.includes(name)),
  }))
  const title = escapeHtml(document.info.title)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark"><title>${title} API</title><style>${STYLE}</style></head><body>
<header><a href="/"><b>${title}</b></a><a href="/account">API keys</a><a href="/api/openapi.json">openapi.json</a></header>
<div class="columns"><nav aria-label="Operations">${groups.map(navigation).join('')}<p><a href="#schemas">Schemas</a></p><p><a href="#problems">Problem codes</a></p></nav>
<main><h1>${title} API</h1>${markdown(document.info.description ?? '')}${sample('Start here', start(publicUrl), true)}
${groups.map(group => `<h2 id="${group.name.toLowerCase()}">${escapeHtml(group.name)}</h2>${markdown(group.description)}${group.operations.map(section).join('')}`).join('')}
<h2 id="schemas">Schemas</h2>${Object.entries(document.components?.schemas ?? {})
    .map(schemaSection)
    .join('')}
<h2 id="problems">Problem codes</h2>${table(['Code', 'Status', 'Meaning'], problemRows())}</main></div></body></html>`
}

function listOperations({ paths }: ApiDocument): Described[] {
  return Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Operation })),
  )
}

function navigation({ name, operations }: { name: string; operations: Described[] }): string {
  const links = operations.map(({ operation }) => `<li><a href="#${operation.operationId}">${escapeHtml(operation.summary ?? '')}</a></li>`)
  return `<p><a href="#${name.toLowerCase()}">${escapeHtml(name)}</a></p><ul>${links.join('')}</ul>`
}

function section({ method, path, operation }: Described): string {
  const parameters = (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]
  const rows = parameters.map(({ name, in: place, required, schema, description }) => [
    code(name),
    `${place}${required ? ', required' : ''}`,
    `${typeText(schema as Schema | undefined)}${description ? `<br>${inline(description)}` : ''}`,
  ])
  const body = typeOfContent(operation.requestBody as Content | undefined)
  const responses = Object.entries(operation.responses ?? {}).map(([status, response]) => {
    const type = typeOfContent(response as Content)
    return [status, `${inline('description' in response ? response.description : '')}${type && Number(status) < 300 ? `: ${type}` : ''}`]
  })
  const samples = operation['x-codeSamples'] ?? []
  return `<section><h3 id="${operation.operationId}">${escapeHtml(operation.summary ?? '')}</h3><p class="route"><code>${method} ${escapeHtml(path)}</code></p>
${markdown(operation.description === `${operation.summary}.` ? '' : (operation.description ?? ''))}<p class="note">${access(operation)}</p>
${rows.length > 0 ? table(['Parameter', 'In', 'Value'], rows) : ''}${body ? `<p>Body: ${body}</p>` : ''}${table(['Status', 'Response'], responses)}
${samples.map(({ label, source }, index) => sample(label, source, index === 0)).join('')}</section>`
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  mailboxToken: 'the token of the address',
  apiKey: 'an API key or API token',
  session: 'a signed-in account',
}

function access({ security = [] }: Operation): string {
  const names = security.flatMap(requirement => Object.keys(requirement).map(name => CREDENTIALS[name] ?? name))
  if (names.length === 0) return 'Everybody may call it.'
  const isOptional = security.some(requirement => Object.keys(requirement).length === 0)
  return isOptional ? `Everybody may call it; ${names.join(' or ')} allows more.` : `Needs ${names.join(' or ')}.`
}

function schemaSection([name, schema]: [string, Schema]): string {
  const { properties = {}, required = [], description } = schema as OpenAPIV3_1.SchemaObject
  const rows = Object.entries(properties).map(([field, type]) => [
    code(field),
    `${typeText(type)}${required.includes(field) ? '' : ', optional'}${'description' in type && type.description ? `<br>${inline(type.description)}` : ''}`,
  ])
  return `<h3 id="schema-${name}">${escapeHtml(name)}</h3>${markdown(description ?? '')}${rows.length > 0 ? table(['Field', 'Value'], rows) : `<p>${typeText(schema)}</p>`}`
}

function typeOfContent(described: Content | undefined): string {
  return Object.entries(described?.content ?? {})
    .map(([type, { schema }]) => (type === 'application/json' ? typeText(schema) : code(type)))
    .join(' or ')
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
  if (schema.enum) return schema.enum.map(value => code(JSON.stringify(value))).join(' or ')
  if (schema.type === 'array') return `array of ${typeText((schema as OpenAPIV3_1.ArraySchemaObject).items)}`
  if (schema.type === 'object' && schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, type]) => `${code(name)}: ${typeText(type)}`)
    return `object with ${fields.join(', ')}`
  }
  const { minimum, maximum } = schema
  const range = minimum !== undefined && maximum !== undefined ? ` from ${minimum} to ${maximum}` : ''
  return `${[schema.type ?? 'anything'].flat().join(' or ')}${range}`
}

const problemRows = () =>
  (Object.keys(failures) as FailureCode[]).map(name => [
    `<code id="${name}">${name}</code>`,
    String(problems[name]),
    escapeHtml(failures[name].title),
  ])

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'th scope="col"' | 'td', row: readonly string[]) => row.map(cell => `<${tag}>${cell}</${tag.slice(0, 2)}>`).join('')
  return `<table><thead><tr>${cells('th scope="col"', head)}</tr></thead><tbody>${rows.map(row => `<tr>${cells('td', row)}</tr>`).join('')}</tbody></table>`
}

/** Code that is wider than the screen scrolls, also by the keyboard. */
function sample(label: string, source: string, isOpen: boolean): string {
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(label)}</summary><pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${escapeHtml(source)}</code></pre></details>`
}

function start(publicUrl: string): string {
  return `# an address, with an API key of a Pro account
curl -X POST ${publicUrl}/api/mailboxes -H 'Authorization: Bearer API_KEY' -H 'Content-Type: application/json' -d '{}'
# its next mail, with the token from that reply
curl '${publicUrl}/api/mailbox/wait?timeoutSeconds=50' -H 'Authorization: Bearer TOKEN'`
}

/** The Markdown that our own descriptions use: paragraphs, bold words and code. */
function markdown(text: string): string {
  return text === ''
    ? ''
    : text
        .split('\n\n')
        .map(paragraph => `<p>${inline(paragraph)}</p>`)
        .join('')
}

function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
}

const code = (text: string) => `<code>${escapeHtml(text)}</code>`

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** The colours of web/styles.css. The page needs no file of the built site, whose names change with each build. */
const STYLE = `
:root{color-scheme:light dark;--paper:light-dark(oklch(.985 .006 95),oklch(.18 .02 260));--sunken:light-dark(oklch(.962 .009 92),oklch(.155 .019 260));
--ink:light-dark(oklch(.22 .02 260),oklch(.93 .01 85));--muted:light-dark(oklch(.46 .02 260),oklch(.73 .014 255));
--line:light-dark(oklch(.895 .008 260),oklch(.3 .02 260));--river:light-dark(oklch(.46 .08 200),oklch(.79 .085 195));--dusk:light-dark(oklch(.52 .14 42),oklch(.8 .12 62))}
*{box-sizing:border-box}html{scroll-padding-top:1rem}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
header,.columns{max-width:76rem;margin:0 auto;padding:0 1.25rem}header{display:flex;flex-wrap:wrap;gap:0 1.5rem;align-items:center;padding-block:.5rem;border-bottom:1px solid var(--line)}
header a,nav a,summary{display:inline-flex;align-items:center;min-height:2.75rem}header a{color:inherit;text-decoration:none}header a:first-child{font-size:1.2rem;margin-right:auto}
a{color:var(--river);text-underline-offset:.2em}:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
h1{font-size:2rem;line-height:1.15;margin:2rem 0 1rem}h2{font-size:1.5rem;margin:3.5rem 0 .5rem}h3{font-size:1.15rem;margin:2.25rem 0 .25rem}p{margin:.5rem 0}p,li{max-width:68ch}
code{font:.875em/1.5 ui-monospace,monospace;overflow-wrap:anywhere}.route code{color:var(--dusk);font-weight:600}.note{color:var(--muted)}
section{border-bottom:1px solid var(--line);padding-bottom:1.5rem}table{border-collapse:collapse;width:100%;margin:.75rem 0;font-size:.9375rem}
th{color:var(--muted);font-weight:500}td,th{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}th:first-child,td:first-child{min-width:5rem}
summary{cursor:pointer;color:var(--muted)}summary::before{content:"▸";width:1.25em}[open]>summary::before{content:"▾"}summary::marker{content:""}
pre{overflow-x:auto;margin:0 0 .5rem;padding:1rem;background:var(--sunken);border:1px solid var(--line);border-radius:.5rem}pre code{overflow-wrap:normal}
nav{font-size:.9375rem;padding-top:1rem}nav ul{list-style:none;margin:0 0 .5rem;padding:0 0 0 .75rem}nav p{margin:0;font-weight:600}nav a{color:inherit;text-decoration:none}nav a:hover,header a:hover{text-decoration:underline}
main{min-width:0;padding-bottom:4rem}@media(width<60rem){nav ul{display:none}nav{display:flex;flex-wrap:wrap;gap:0 1.25rem}}
@media(width>=60rem){.columns{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:3rem}nav{position:sticky;top:0;max-height:100dvh;overflow-y:auto}nav li a{min-height:2rem;line-height:1.3;padding-block:.2rem}}
`
