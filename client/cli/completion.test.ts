/** What the Tab key offers, as bash reads it. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readArguments, USAGE } from './arguments.ts'
import { completion } from './completion.ts'

const script = completion('bash', 'mayfly-client', USAGE) ?? ''

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
  expect(completion('tcsh', 'mayfly-client', USAGE)).toBeUndefined()
})

test('every option that is offered after a command is one of it', () => {
  const commands = offered('').filter(word => /^[a-z]/.test(word))
  expect(commands).toContain('new')
  for (const command of commands) {
    for (const option of offered(command, '--')) {
      const context = option === '--host' ? ['--link'] : []
      const value = /json|code|link|show-token/.test(option) ? [] : ['1']
      expect(() => readArguments([command, 'id', option, ...value, ...context], {}), `${command} ${option}`).not.toThrow(/takes no|Unknown/)
    }
  }
})

test('zsh and fish know the same, with descriptions', () => {
  expect(completion('zsh', 'mayfly-client', USAGE)).toContain("'watch:every message as it arrives")
  expect(completion('fish', 'mayfly-client', USAGE)).toMatch(
    /^complete -c mayfly-client -n '__fish_seen_subcommand_from wait' -l host -r$/m,
  )
})
