/** Scripts that tell a shell the words of a command line for the Tab key. */

type Word = { readonly word: string; readonly about: string; readonly takesValue?: boolean }
/** The words that may follow each command, and those that may stand everywhere. */
type Words = {
  readonly commands: readonly (Word & { readonly following: readonly Word[] })[]
  readonly everywhere: readonly Word[]
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const

const WRITERS = { bash, zsh, fish }

/** The script that a shell reads at its start. */
export function completionScript(shell: (typeof SHELLS)[number], program: string, words: Words): string {
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
