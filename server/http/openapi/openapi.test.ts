/** Checks the API's description with the rules of Spectral and against its own schemas. */
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'
import descriptions from './descriptions.json' with { type: 'json' }
import docsWords from './docs-words.json' with { type: 'json' }

const server = await untilEnd(startTestServer())
const document: OpenAPIV3_1.Document = await (await fetch(server.url(routes.openapi))).json()

const operations = () =>
  Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({ path, method, operation: operation as OpenAPIV3_1.OperationObject })),
  )

test('the description passes every rule of spectral:oas, including that each example fits its schema', async () => {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'all']] })
  const found = await spectral.run(JSON.parse(JSON.stringify(document)))
  expect(found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([])
}, 60_000)

describe('every operation', () => {
  test('has a summary, on its page in Spanish too, and none is left of an operation that is gone', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    for (const summaries of [descriptions.operations, docsWords.es.summaries])
      expect(Object.keys(summaries).toSorted()).toEqual(ids.toSorted())
  })

  test('has examples in curl, TypeScript and Python, and an example of its body and its response', () => {
    for (const { path, method, operation } of operations()) {
      const samples = (operation as { 'x-codeSamples'?: { lang: string; source: string }[] })['x-codeSamples'] ?? []
      expect(
        samples.map(({ lang }) => lang),
        `${method} ${path}`,
      ).toEqual(['Shell', 'TypeScript', 'Python'])
      const { requestBody, responses } = operation
      const contents = [requestBody, ...Object.entries(responses ?? {}).flatMap(([status, response]) => (status < '300' ? [response] : []))]
      for (const content of contents) {
        const json = content && 'content' in content ? content.content?.['application/json'] : undefined
        if (json) expect(json.example, `${method} ${path}`).toBeDefined()
      }
    }
  })

  test('with a body declares the errors of size and type, and one with a credential the error of a missing one', () => {
    for (const { path, method, operation } of operations()) {
      const statuses = Object.keys(operation.responses ?? {})
      if (operation.requestBody) expect(statuses, `${method} ${path}`).toEqual(expect.arrayContaining(['413', '415']))
      if (operation.security?.length) expect(statuses, `${method} ${path}`).toContain('401')
    }
  })
})
