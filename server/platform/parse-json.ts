/** The value that a text says in JSON, for a schema to judge: `undefined` if it says none, `null` without a text. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
