/** The sample for Apache, read by Apache with each of its ways to divide work. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { sharedFolder } from '#test/harness/until-end.ts'

const apache = process.env.APACHE_PATH ?? 'apache2'
const sample = readFileSync(resolve(import.meta.dirname, '../../deploy/apache.conf'), 'utf8')
const folder = sharedFolder()

test.skipIf(spawnSync(apache, ['-v']).status !== 0).each(['mpm_event', 'mpm_worker', 'mpm_prefork'])(
  'Apache with %s takes the sample and has nothing to complain of',
  async processing => {
    const { cert, key } = selfSign('mayfly.example', Date.now())
    writeFileSync(join(folder, 'fullchain.pem'), cert)
    writeFileSync(join(folder, 'privkey.pem'), key)
    const modules = [processing, 'proxy', 'proxy_http', 'headers', 'ssl', 'http2', 'socache_shmcb', 'authz_core']
    const main = [
      ...modules.map(name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      `ServerName mayfly.example\nErrorLog ${folder}/error.log\nDefaultRuntimeDir ${folder}`,
      sample.replaceAll('/etc/letsencrypt/live/mayfly', folder),
    ]
    const file = join(folder, `${processing}.conf`)
    writeFileSync(file, main.join('\n'))
    const { stderr } = await promisify(execFile)(apache, ['-t', '-f', file])
    expect(stderr).toBe('Syntax OK\n')
  },
)
