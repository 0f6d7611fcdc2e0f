/**
 * Makes the mails of `test/fixtures/mail/libraries/` anew: `npm run lab -- library-mails [FOLDER]`. Libraries of eight languages write one
 * and the same mail: a text, HTML with a picture, a file with a name beyond ASCII, and an invitation where the library has a way to
 * add one. The versions are pinned below; Debian's are those that it has. A language that is not installed is left out with a sentence.
 * A new version of a library is a new fixture beside the old one: senders keep old versions for years.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { libraryMail } from '../../test/harness/library-mail.ts'
import { buildCrate, buildGo, installMaven, installNpm, runIn } from '../registries.ts'

const NPM = ['nodemailer@10.6.0', 'emailjs@5.0.3']
const MAVEN = ['org.eclipse.angus:angus-mail:2.0.5', 'org.simplejavamail:simple-java-mail:8.12.6', 'org.slf4j:slf4j-nop:2.0.17']
const GO = [
  'github.com/wneessen/go-mail@v0.7.2',
  'gopkg.in/gomail.v2@v2.0.0-20160411212932-81ebce5c23df',
  'github.com/jordan-wright/email@v4.0.1-0.20210109023952-943e75fe5223+incompatible',
]
const CRATES = { lettre: '{ version = "=0.11.23", default-features = false, features = ["builder"] }', 'mail-builder': '"=0.4.4"' }

/** `write`: a program that writes the mails into `out`, from the pieces in its working folder. */
type Language = { readonly name: string; readonly needs: string; write(folder: string, out: string): void }

const source = (name: string) => join(import.meta.dirname, name)
const version = (coordinate = '') => coordinate.slice(coordinate.lastIndexOf(':') + 1)

const LANGUAGES: readonly Language[] = [
  {
    name: 'npm',
    needs: 'Node with npm',
    write(folder, out) {
      installNpm(folder, NPM)
      copyFileSync(source('npm.mjs'), join(folder, 'npm.mjs'))
      runIn(folder, process.execPath, 'npm.mjs', out)
    },
  },
  { name: 'Python', needs: 'python3', write: (folder, out) => runIn(folder, 'python3', source('python.py'), out) },
  {
    name: 'Maven',
    needs: 'maven and a JDK of 17 or later',
    write(folder, out) {
      installMaven(folder, MAVEN)
      runIn(
        folder,
        'java',
        '-cp',
        readFileSync(join(folder, 'classpath'), 'utf8'),
        source('Maven.java'),
        out,
        ...MAVEN.slice(0, 2).map(version),
      )
    },
  },
  {
    name: 'Go',
    needs: 'go',
    write(folder, out) {
      buildGo(folder, source('main.go'), GO)
      runIn(folder, './program', out)
    },
  },
  {
    name: 'crates.io',
    needs: 'cargo',
    write(folder, out) {
      buildCrate(folder, source('main.rs'), CRATES)
      runIn(folder, 'target/debug/program', out, ...Object.values(CRATES).map(value => /=([\d.]+)/.exec(value)?.[1] ?? ''))
    },
  },
  {
    name: 'PHP',
    needs: 'apt-get install php-cli libphp-phpmailer php-symfony-mime php-email-validator',
    write: (folder, out) => runIn(folder, 'php', source('debian.php'), out),
  },
  { name: 'Ruby', needs: 'apt-get install ruby-mail', write: (folder, out) => runIn(folder, 'ruby', source('debian.rb'), out) },
  { name: 'Perl', needs: 'apt-get install libmime-lite-perl', write: (folder, out) => runIn(folder, 'perl', source('debian.pl'), out) },
]

const out = resolve(process.argv[2] ?? join(import.meta.dirname, '../../test/fixtures/mail/libraries'))
mkdirSync(out, { recursive: true })
const temporary = mkdtempSync(join(tmpdir(), 'mayfly-library-mails-'))
try {
  for (const { name, needs, write } of LANGUAGES) {
    const folder = join(temporary, name)
    mkdirSync(folder)
    for (const [piece, bytes] of Object.entries(libraryMail)) writeFileSync(join(folder, piece), bytes)
    try {
      write(folder, out)
    } catch (error) {
      console.error(`${name} is left out. It needs: ${needs} (${String(error).split('\n').slice(0, 4).join(' ')})`)
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
