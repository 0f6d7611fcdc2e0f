/** Installs packages of each language in a folder of their own, from its registry, at the versions given. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const runIn = (folder: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 })

/** `packages` as `name@version`. */
export function installNpm(folder: string, packages: readonly string[]): void {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  runIn(folder, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages)
}

/** `packages` as `name==version`. Its Python is `bin/python`. */
export function installPypi(folder: string, packages: readonly string[]): void {
  runIn(folder, 'python3', '-m', 'venv', '.')
  runIn(folder, 'bin/pip', 'install', '--quiet', ...packages)
}

/** `packages` as `group:name:version`. Their class path is in the file `classpath`. */
export function installMaven(folder: string, packages: readonly string[]): void {
  const dependencies = packages.map(each => {
    const [group, name, version] = each.split(':')
    return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`
  })
  const project = '<modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>'
  writeFileSync(join(folder, 'pom.xml'), `<project>${project}<dependencies>${dependencies.join('')}</dependencies></project>`)
  runIn(folder, 'mvn', '--quiet', '--batch-mode', 'dependency:build-classpath', '-Dmdep.outputFile=classpath')
}

/** `packages` as `path@version`. The program is `./program`. */
export function buildGo(folder: string, source: string, packages: readonly string[]): void {
  copyFileSync(source, join(folder, 'main.go'))
  runIn(folder, 'go', 'mod', 'init', 'program')
  runIn(folder, 'go', 'get', ...packages)
  runIn(folder, 'go', 'build', '-o', 'program')
}

/** `crates`: the value of each in the manifest. The program is `target/debug/program`. */
export function buildCrate(folder: string, source: string, crates: Readonly<Record<string, string>>): void {
  const dependencies = Object.entries(crates).map(([name, value]) => `${name} = ${value}`)
  const manifest = ['[package]', 'name = "program"', 'version = "0.0.0"', 'edition = "2021"', '[dependencies]', ...dependencies]
  writeFileSync(join(folder, 'Cargo.toml'), manifest.join('\n'))
  mkdirSync(join(folder, 'src'))
  copyFileSync(source, join(folder, 'src/main.rs'))
  runIn(folder, 'cargo', 'build', '--quiet')
}
