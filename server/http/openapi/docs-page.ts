/** The API documentation page: one static page without scripts or third-party resources. */
import { problems } from '#contract/problems.ts'
import { type FailureCode, failures } from '#server/errors.ts'

type ApiDocument = {
  readonly info: { readonly title: string; readonly description?: string | undefined }
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> | undefined
}
type Operation = { summary?: string; description?: string; responses?: Record<string, { description?: string }> }

const STYLE = `
body{font:16px/1.6 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
code{font:14px ui-monospace,monospace;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:2rem 0 .3rem}
pre{overflow-x:auto;border:1px solid #8886;border-radius:.5rem;padding:1rem}td,th{text-align:left;padding:.15rem 1rem .15rem 0;vertical-align:top}`

export function docsPage(document: ApiDocument, publicUrl: string): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => section(method, path, operation as Operation)),
  )
  const codes = (Object.keys(failures) as FailureCode[]).map(
    code => `<tr id="${code}"><td><code>${code}</code></td><td>${problems[code]}</td><td>${escapeHtml(failures[code].title)}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${escapeHtml(document.info.title)} API</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(document.info.title)} API</h1>
<p>${escapeHtml(document.info.description ?? '')} The same for programs: <a href="/api/openapi.json">openapi.json</a>.</p>
<pre><code>${escapeHtml(example(publicUrl))}</code></pre>${operations.join('')}
<h2 id="problems">Problem codes</h2><table><tbody>${codes.join('')}</tbody></table></main></body></html>`
}

function section(method: string, path: string, { summary = '', description = '', responses = {} }: Operation): string {
  const rows = Object.entries(responses).map(
    ([status, response]) => `<tr><td>${escapeHtml(status)}</td><td>${escapeHtml(response.description ?? '')}</td></tr>`,
  )
  return `<section><h2><code>${escapeHtml(method.toUpperCase())} ${escapeHtml(path)}</code></h2><p>${escapeHtml(summary)}. ${escapeHtml(description)}</p>
<table><tbody>${rows.join('')}</tbody></table></section>`
}

function example(publicUrl: string): string {
  return `# with an API key of a Pro account
curl -X POST ${publicUrl}/api/mailboxes -H 'Authorization: Bearer API_KEY' -H 'Content-Type: application/json' -d '{}'
# with the token that answers
curl ${publicUrl}/api/mailbox/wait?timeoutSeconds=50 -H 'Authorization: Bearer TOKEN'`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
