import { expect, test } from 'vitest'
import { functionLengths } from './function-lengths.ts'

test('every function is found with its name and its lines, what stands inside one counts for both', () => {
  const text = [
    'export function outer(a: number) {',
    '  const inner = () => {',
    '    return a',
    '  }',
    '  return { method() { return inner() }, property: async () => 1 }',
    '}',
    'class Box { #secret(): void {',
    '} }',
    '[1].map(x => x)',
  ].join('\n')
  expect(functionLengths('a.ts', text)).toEqual([
    { name: 'outer', line: 1, lines: 6 },
    { name: 'inner', line: 2, lines: 3 },
    { name: 'method', line: 5, lines: 1 },
    { name: 'property', line: 5, lines: 1 },
    { name: 'secret', line: 7, lines: 2 },
    { name: '(top)', line: 9, lines: 1 },
  ])
})

test('JSX is read, and what cannot be read is said to be so', () => {
  expect(functionLengths('a.tsx', 'export const A = () => <p>\n</p>\n')).toEqual([{ name: 'A', line: 1, lines: 2 }])
  expect(() => functionLengths('a.ts', 'function (')).toThrow(SyntaxError)
})
