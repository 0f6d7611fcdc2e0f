/**
 * Every code block of the README and of docs/ with its kind. Each kind is run by test/documentation/documented-commands.test.ts, or
 * contains no command.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { codeBlocks } from '../newcomer/readme.ts'

const root = resolve(import.meta.dirname, '../../..')

type Block = { readonly file: string; readonly lines: readonly string[] }

/** By the first line of a block. */
const KINDS = {
  start: /^npm start$/,
  startOutput: /^Site: /,
  script: /^TOKEN=/,
  contribute: /^npm test /,
  folders: /^contract\/ /,
  backup: /^npm run mayfly -- backup /,
  restore: /^DATA_DIR=\S+ npm run mayfly -- restore /,
  // From docs/testing-with-mayfly.md, run by test/client/packed-release.test.ts.
  packedStart: /^npx \S+\.tgz$/,
  packedToken: /^npx \S+\.tgz token create ci$/,
  adoptMailStore: /^npm run mayfly -- adopt-mail-store$/,
  // From docs/operations.md. test/deployment/deploy.test.ts runs those that need no machine of their own.
  operatorInstall: /^apt-get install -y git nodejs npm$/,
  operatorStart: /^mayfly check-config /,
  zone: /^mayfly\.example\. +A /,
  acmeSettings: /^ACME_EMAIL=/,
  caddy: /^apt-get install -y caddy /,
  nginx: /^apt-get install -y nginx /,
  operatorCommands: /^mayfly block add /,
  operatorBackup: /^systemctl enable --now mayfly-backup\.timer /,
  operatorUpgrade: /^mayfly upgrade /,
} as const
export type Kind = keyof typeof KINDS
export const kinds = Object.keys(KINDS) as Kind[]

export function findKind({ lines }: Block): Kind | undefined {
  return kinds.find(kind => KINDS[kind].test(lines[0] ?? ''))
}

export function documentedBlocks(): Block[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md'))
  return ['README.md', ...docs.map(name => join('docs', name))].flatMap(file =>
    codeBlocks(withoutNamed(readFileSync(join(root, file), 'utf8'))).map(lines => ({ file, lines })),
  )
}

/** Blocks with a file name are run as that file by test/client/published-client.test.ts. */
const withoutNamed = (markdown: string) => markdown.replace(/^```\w+ \S+\n[\s\S]*?^```$/gm, '')
