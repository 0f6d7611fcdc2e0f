/**
 * Words for the Tab key, read from the text that `help` prints, where each command is described once. The operator's command has the same
 * layout: commands are indented by two, what goes for all of them follows the word "Everywhere" or stands at the left.
 */

type Word = { readonly word: string; readonly about: string; readonly takesValue: boolean }
type Usage = { readonly commands: Word[]; readonly ofCommand: Map<string, Word[]>; readonly everywhere: Word[] }

const SHELLS = { bash, zsh, fish }

export const SHELL_WANTED = 'Name a shell: bash, zsh or fish.'

/** The script that a shell reads at its start; `undefined` for a shell that is not known. */
export function completion(shell: string | undefined, program: string, text: string): string | undefined {
  const write = Object.entries(SHELLS).find(([name]) => name === shell)?.[1]
  return write && `${write(program, readUsage(text), `_${program.replaceAll('-', '_')}`).join('\n')}\n`
}

function readUsage(text: string): Usage {
  const usage: Usage = { commands: [], ofCommand: new Map(), everywhere: [] }
  let current = usage.everywhere
  const add = (word: string, about = '', takesValue = false) => {
    if (!current.some(known => known.word === word)) current.push({ word, about, takesValue })
  }
  for (const line of text.split('\n').slice(1)) {
    const [, name, rest = '', about = ''] = /^ {2}([a-z][\w-]*)((?: [^ ]+)*)(?: {2,}(.*))?$/.exec(line) ?? []
    if (name !== undefined) {
      if (!usage.ofCommand.has(name))
        usage.commands.push({ word: name, about: /^ [a-z-]+( |$)/.test(rest) ? '' : about, takesValue: false })
      current = usage.ofCommand.get(name) ?? []
      usage.ofCommand.set(name, current)
      for (const word of /^ ([a-z][a-z|-]*)/.exec(rest)?.[1]?.split('|') ?? []) add(word, rest.includes('|') ? '' : about)
    } else if (/^\S/.test(line)) current = usage.everywhere
    for (const [, command = '', word = ''] of line.matchAll(/"([a-z-]+) ([a-z]+)/g)) if (usage.ofCommand.get(command) === current) add(word)
    for (const [, option = '', value, described] of line.matchAll(/(?<![\w"])(--[a-z-]+)( "?[A-Z]+"?)?(?:(?= {2,}(?!-)(.*)))?/g))
      add(option, described, value !== undefined)
  }
  return usage
}

/** In single quotes, which all three shells end and begin again around an escaped one. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const words = (list: readonly Word[]) => list.map(({ word }) => word).join(' ')

function bash(program: string, { commands, ofCommand, everywhere }: Usage, name: string): string[] {
  return [
    `${name}() {`,
    '  local words',
    `  case "$COMP_CWORD:\${COMP_WORDS[1]}" in`,
    `    1:*) words=${quote(words([...commands, ...everywhere]))} ;;`,
    ...[...ofCommand].map(([command, list]) => `    *:${command}) words=${quote(words([...list, ...everywhere]))} ;;`),
    '  esac',
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    `complete -o default -F ${name} ${program}`,
  ]
}

function zsh(program: string, { commands, ofCommand, everywhere }: Usage, name: string): string[] {
  const described = (list: readonly Word[]) => list.map(({ word, about }) => quote(about ? `${word}:${about}` : word)).join(' ')
  return [
    `#compdef ${program}`,
    `${name}() {`,
    '  local -a found',
    '  case "$CURRENT:$words[2]" in',
    `    2:*) found=(${described([...commands, ...everywhere])}) ;;`,
    ...[...ofCommand].map(([command, list]) => `    *:${command}) found=(${described([...list, ...everywhere])}) ;;`),
    '  esac',
    `  _describe ${program} found || _files`,
    '}',
    `compdef ${name} ${program}`,
  ]
}

function fish(program: string, { commands, ofCommand, everywhere }: Usage): string[] {
  const line = (condition: string, { word, about, takesValue }: Word) => {
    const what = word.startsWith('--') ? `-l ${word.slice(2)}${takesValue ? ' -r' : ''}` : `-f -a ${word}`
    return `complete -c ${program}${condition && ` -n ${quote(condition)}`} ${what}${about && ` -d ${quote(about)}`}`
  }
  return [
    ...commands.map(word => line('__fish_use_subcommand', word)),
    ...[...ofCommand].flatMap(([command, list]) => list.map(word => line(`__fish_seen_subcommand_from ${command}`, word))),
    ...everywhere.map(word => line('', word)),
  ]
}
