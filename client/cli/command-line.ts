/** A command line as one table, from which parsing, help and the words for the Tab key follow. */
import { parseArgs } from 'node:util'
import { usageError } from './exit-codes.ts'
import { plain } from './terminal.ts'

type Option = {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  readonly isRequired?: boolean
  /** The name of its value in the help. */
  readonly value?: string
  readonly about: string
}
export type Options = Readonly<Record<string, Option>>
export type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values']

export type CommandRow = {
  readonly name: string
  readonly action?: string
  /** The arguments it needs. */
  readonly takes?: readonly string[]
  /** Says what is missing, where the names of the arguments do not. */
  readonly needs?: string
  /** One argument more, or with `isMany` any number. */
  readonly mayTake?: string
  readonly isMany?: boolean
  readonly about: string
  readonly options?: Options
}

export type CommandLine<R extends CommandRow> = {
  readonly name: string
  /** How it is called here, e.g. through npm. */
  readonly program: string
  readonly version: string
  readonly commands: readonly R[]
  /** Options of every command; `--help` and `--version` are among them by themselves. */
  readonly everywhere: Options
  /** Ends the help. */
  readonly notes: string
}

/** A command to run, or a text to print. */
type Read<R extends CommandRow> =
  | { readonly row: R; readonly args: readonly string[]; readonly values: Values<Options> }
  | { readonly printed: 'usage' | 'version' | 'script'; readonly text: string }

export const text = <const V extends string>(value: V, about: string) => ({ type: 'string', value, about }) as const
export const flag = <const A extends string>(about: A) => ({ type: 'boolean', about }) as const

const ALWAYS = {
  help: { type: 'boolean', short: 'h', about: 'this text, or the part of a command' },
  version: flag('the version'),
} as const
const SHELLS = ['bash', 'zsh', 'fish'] as const
const COMPLETION = { name: 'completion', takes: [SHELLS.join('|')], needs: 'a shell: bash, zsh or fish', about: 'for the Tab key' }

/** Throws a `CommandError` for arguments it does not understand. */
export function readCommandLine<R extends CommandRow>(line: CommandLine<R>, given: readonly string[]): Read<R> {
  const everywhere = { ...line.everywhere, ...ALWAYS }
  const known = Object.assign({}, ...line.commands.map(({ options }) => options), everywhere)
  const { tokens, positionals } = parseArgs({ args: [...given], options: known, strict: false, allowPositionals: true, tokens: true })
  const options = tokens.filter(token => token.kind === 'option')
  const [name, ...rest] = positionals
  if (options.some(option => option.name === 'version')) return { printed: 'version', text: `${line.version}\n` }
  const isHelp = options.some(option => option.name === 'help')
  if (name === 'help' || (isHelp && name === undefined)) return { printed: 'usage', text: help(line) }
  if (name === undefined) throw usageError('Name a command.')
  if (name === COMPLETION.name) return { printed: 'script', text: scriptFor(line, everywhere, rest) }
  const rows = line.commands.filter(row => row.name === name)
  if (rows.length === 0) throw usageError(`There is no command "${plain(name)}".`)
  if (isHelp) return { printed: 'usage', text: `${aligned(rows.flatMap(commandRows))}\n` }
  const row = rows.find(({ action }) => action === undefined || action === rest[0])
  if (!row) throw unknownAction(name, rest[0], rows)
  const own = { ...row.options, ...everywhere }
  const foreign = options.find(option => !Object.hasOwn(own, option.name))
  if (foreign) throw usageError(`"${titleOf(row)}" has no option "${plain(foreign.rawName)}".`)
  const values = strictly(given, own)
  return { row, args: check(row, row.action === undefined ? rest : rest.slice(1), values), values }
}

/** The Tab key's words: commands, what may follow each, and the options of all. */
function scriptFor(line: CommandLine<CommandRow>, everywhere: Options, args: readonly string[]): string {
  const shell = SHELLS.find(name => name === check(COMPLETION, args)[0])
  if (!shell) throw lacking(COMPLETION)
  const optionWords = (options: Options = {}) =>
    Object.entries(options).map(([name, { value, about }]) => ({ word: `--${name}`, about, takesValue: value !== undefined }))
  const commands = [...new Set(line.commands.map(({ name }) => name))].map(word => {
    const rows = line.commands.filter(({ name }) => name === word)
    const following = rows.flatMap(({ action, about, options }) => [
      ...(action === undefined ? [] : [{ word: action, about }]),
      ...optionWords(options),
    ])
    return { word, about: rows.find(({ action }) => action === undefined)?.about ?? '', following }
  })
  const own = { word: COMPLETION.name, about: COMPLETION.about, following: SHELLS.map(word => ({ word, about: '' })) }
  return completionScript(shell, line.name, { commands: [...commands, own], everywhere: optionWords(everywhere) })
}

function strictly(given: readonly string[], options: Options): Values<Options> {
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true }).values
  } catch (error) {
    throw usageError(error instanceof Error ? plain(error.message) : String(error))
  }
}

/** Refuses what is missing, as a variable of a shell that is not set, and what is too much, which is probably a mistake. */
function check(row: CommandRow, args: readonly string[], values: Values<Options> = {}): readonly string[] {
  const { takes = [], mayTake, isMany, options = {} } = row
  const extra = isMany ? undefined : args[takes.length + (mayTake ? 1 : 0)]
  if (extra !== undefined) throw usageError(`"${plain(extra)}" is one argument too many.`)
  if (!takes.every((_, index) => args[index]) || Object.keys(options).some(name => options[name]?.isRequired && !values[name]))
    throw lacking(row)
  return args
}

const lacking = (row: CommandRow) => usageError(`"${titleOf(row)}" needs ${row.needs ?? argumentsOf(row).join(' ')}.`)

function unknownAction(name: string, action: string | undefined, rows: readonly CommandRow[]): Error {
  const known = rows.map(row => {
    const free = Object.entries(row.options ?? {}).flatMap(([option, details]) =>
      details.isRequired ? [] : [`[${optionTitle(option, details)}]`],
    )
    return [row.action, ...argumentsOf(row), ...free].join(' ')
  })
  const wrong = action === undefined ? `"${name}" needs to know what to do` : `"${name}" cannot "${plain(action)}"`
  return usageError(`${wrong}: ${known.join(', ')}.`)
}

const titleOf = ({ name, action }: CommandRow) => (action === undefined ? name : `${name} ${action}`)
const optionTitle = (name: string, { value }: Option) => `--${name}${value ? ` ${value}` : ''}`

const argumentsOf = ({ takes = [], mayTake, isMany, options = {} }: CommandRow): string[] => [
  ...takes,
  ...(mayTake ? [`[${mayTake}${isMany ? ' …' : ''}]`] : []),
  ...Object.entries(options).flatMap(([name, option]) => (option.isRequired ? [optionTitle(name, option)] : [])),
]

function help(line: CommandLine<CommandRow>): string {
  const completed = { ...COMPLETION, about: `${COMPLETION.about}: source <(${line.name} completion bash)` }
  const listed = [...line.commands, completed].flatMap(commandRows)
  const shared = optionRows({ ...line.everywhere, ...ALWAYS })
  const lines = aligned([...listed, ['\nEverywhere:', ''], ...shared])
  return `${line.program} COMMAND\n\n${lines}\n\n${line.notes}\n`
}

type HelpRow = readonly [left: string, about: string]

const commandRows = (row: CommandRow): HelpRow[] => [
  [`  ${[titleOf(row), ...argumentsOf(row)].join(' ')}`, row.about],
  ...optionRows(row.options ?? {}),
]

const optionRows = (options: Options): HelpRow[] =>
  Object.entries(options).map(([name, option]) => [`    ${optionTitle(name, option)}`, option.about])

function aligned(rows: readonly HelpRow[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.map(([left, about]) => (left.padEnd(width) + about).trimEnd()).join('\n')
}

type Word = { readonly word: string; readonly about: string; readonly takesValue?: boolean }
/** The words that may follow each command, and those that may stand everywhere. */
type Words = { readonly commands: readonly (Word & { readonly following: readonly Word[] })[]; readonly everywhere: readonly Word[] }

const WRITERS = { bash, zsh, fish }

/** The script that a shell reads at its start: it tells the shell the words of a command line for the Tab key. */
function completionScript(shell: (typeof SHELLS)[number], program: string, words: Words): string {
  return `${WRITERS[shell](program, words, `_${program.replaceAll('-', '_')}`).join('\n')}\n`
}

/** In single quotes, which all three shells end and begin again around an escaped one. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The branches of `case`: the first word is a command, and the others follow the command that it was. */
const branches = ({ commands, everywhere }: Words, first: string, assign: (words: readonly Word[]) => string) => [
  `    ${first}:*) ${assign([...commands, ...everywhere])} ;;`,
  ...commands.map(({ word, following }) => `    *:${word}) ${assign([...following, ...everywhere])} ;;`),
  '  esac',
]

function bash(program: string, words: Words, name: string): string[] {
  return [
    `${name}() {`,
    '  local words',
    `  case "$COMP_CWORD:\${COMP_WORDS[1]}" in`,
    ...branches(words, '1', list => `words=${quote(list.map(({ word }) => word).join(' '))}`),
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    `complete -o default -F ${name} ${program}`,
  ]
}

function zsh(program: string, words: Words, name: string): string[] {
  return [
    `#compdef ${program}`,
    `${name}() {`,
    '  local -a found',
    '  case "$CURRENT:$words[2]" in',
    ...branches(words, '2', list => `found=(${list.map(({ word, about }) => quote(about ? `${word}:${about}` : word)).join(' ')})`),
    `  _describe ${program} found || _files`,
    '}',
    `compdef ${name} ${program}`,
  ]
}

function fish(program: string, { commands, everywhere }: Words): string[] {
  const line = (condition: string, { word, about, takesValue }: Word) => {
    const what = word.startsWith('--') ? `-l ${word.slice(2)}${takesValue ? ' -r' : ''}` : `-f -a ${word}`
    return `complete -c ${program}${condition && ` -n ${quote(condition)}`} ${what}${about && ` -d ${quote(about)}`}`
  }
  return [
    ...commands.map(word => line('__fish_use_subcommand', word)),
    ...commands.flatMap(({ word, following }) => following.map(each => line(`__fish_seen_subcommand_from ${word}`, each))),
    ...everywhere.map(word => line('', word)),
  ]
}
