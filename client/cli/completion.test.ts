/** The offers of the Tab key, as bash reads them. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readArguments } from './arguments.ts'

function scriptFor(shell: string): string {
  const read = readArguments(['completion', shell], {})
  return 'printed' in read ? read.text : ''
}
const script = scriptFor('bash')

/** The last word is the one that is being typed. */
function offered(...words: readonly string[]): string[] {
  const line = ['mayfly-client', ...words].map(word => `'${word}'`).join(' ')
  const asked = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _mayfly_client; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', `${script}${asked}`], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
}

test('commands, their options and fixed words are offered', () => {
  expect(offered('wa')).toEqual(['wait', 'watch'])
  expect(offered('wait', '--from', 'shop.test', '--ho')).toEqual(['--host'])
  expect(offered('watch', '--a')).toEqual(['--after'])
  expect(offered('completion', 'z')).toEqual(['zsh'])
  expect(() => scriptFor('tcsh')).toThrow('"completion" needs a shell: bash, zsh or fish.')
})

test('every option that is offered after a command is one of it', () => {
  const commands = offered('').filter(word => /^[a-z]/.test(word))
  expect(commands).toContain('new')
  for (const command of commands) {
    for (const option of offered(command, '--')) {
      const context = option === '--host' ? ['--link'] : []
      const value = /json|code|link|show-token/.test(option) ? [] : ['1']
      expect(() => readArguments([command, 'id', option, ...value, ...context], {}), `${command} ${option}`).not.toThrow(/has no option/)
    }
  }
})

test('zsh and fish know the same, with descriptions', () => {
  expect(scriptFor('zsh')).toContain("'watch:every message as it arrives")
  expect(scriptFor('fish')).toMatch(/^complete -c mayfly-client -n '__fish_seen_subcommand_from wait' -l host -r -d /m)
})
