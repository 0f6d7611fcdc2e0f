/** How long the functions of a file are, in lines from their head to their end; what stands inside one counts for both. */
import { parseSync } from 'vite'

type FunctionLength = { readonly name: string; readonly line: number; readonly lines: number }

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** `path` decides the language by its ending. Throws on a syntax error. */
export function functionLengths(path: string, text: string): FunctionLength[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`)
  const found: FunctionLength[] = []
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const visit = (node: unknown, named: string) => {
    if (Array.isArray(node)) {
      for (const child of node) visit(child, named)
      return
    }
    if (!isNode(node)) return
    if (FUNCTIONS.has(node.type)) {
      const line = lineAt(node.start)
      found.push({ name: nameIn(node) ?? named, line, lines: lineAt(node.end) - line + 1 })
    }
    const name = nameIn(node) ?? named
    for (const [key, child] of Object.entries(node)) if (key !== 'parent') visit(child, name)
  }
  visit(program, '(top)')
  return found
}

type Node = { readonly type: string; readonly start: number; readonly end: number }

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value
}

/** The name a declaration, a property or a function gives what is in it. */
function nameIn(node: object): string | undefined {
  for (const key of ['id', 'key']) {
    const child: unknown = Reflect.get(node, key)
    const name: unknown = typeof child === 'object' && child !== null ? Reflect.get(child, 'name') : undefined
    if (typeof name === 'string') return name
  }
  return undefined
}
