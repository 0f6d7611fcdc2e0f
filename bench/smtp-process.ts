import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Ready, Stored, Usage } from './smtp-server.ts'

type Answers = { usage: Usage; stored: Stored; ready: Ready }

/** The server of the bench and its answers. */
export class SmtpProcess implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly ready: Promise<Ready>

  /** `profile`: writes a CPU profile per thread to ./profiles when it ends. `descriptorsMax`: by util-linux's prlimit. */
  constructor(options: { profile?: boolean; descriptorsMax?: number } = {}) {
    const limited = options.descriptorsMax ? ['prlimit', `--nofile=${options.descriptorsMax}`] : []
    const profiled = options.profile ? ['--cpu-prof', '--cpu-prof-dir=profiles'] : []
    const [command = process.execPath, ...args] = [
      ...limited,
      process.execPath,
      ...profiled,
      resolve(import.meta.dirname, 'smtp-server.ts'),
    ]
    this.#child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.ready = this.#next('ready')
  }

  async ask<Question extends 'usage' | 'stored'>(question: Question): Promise<Answers[Question]> {
    this.#child.send(question)
    return await this.#next(question)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }

  /** Between the two ends of one repository: what is awaited is what was asked for. */
  #next<Type extends keyof Answers>(type: Type): Promise<Answers[Type]> {
    const { promise, resolve: found, reject } = Promise.withResolvers<Answers[Type]>()
    const died = (code: number | null) => reject(new Error(`the server ended with ${code}`))
    const arrived = (answer: Answers[Type]) => {
      if (answer.type !== type) return
      this.#child.off('message', arrived).off('exit', died)
      found(answer)
    }
    this.#child.on('message', arrived).on('exit', died)
    return promise
  }
}
