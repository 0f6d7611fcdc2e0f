/** A receiver that discards everything: it reads the bytes, looks for the final dot and replies 250. Runs as its own process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const PROGRAM = `
  import { createServer } from 'node:net'
  const END = Buffer.from('\\r\\n.\\r\\n')
  const server = createServer({ noDelay: true }, socket => {
    let isData = false, tail = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.write('220 black.hole\\r\\n')
    socket.on('data', chunk => {
      if (isData) {
        const end = Buffer.concat([tail, chunk.subarray(-END.length)])
        tail = end.subarray(-END.length + 1)
        if (end.indexOf(END) === -1) return
        isData = false
        socket.write('250 gone\\r\\n')
        return
      }
      let replies = ''
      for (const line of chunk.toString('latin1').split('\\r\\n').slice(0, -1)) {
        if (line === 'QUIT') { socket.end(replies + '221 bye\\r\\n'); return }
        if (line === 'DATA') { isData = true; tail = Buffer.alloc(0) }
        replies += line === 'DATA' ? '354 go on\\r\\n' : '250 ok\\r\\n'
      }
      socket.write(replies)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
  process.once('disconnect', () => process.exit())`

export class BlackHole implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly port: number

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
  }

  static async start(): Promise<BlackHole> {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const [port] = await once(child, 'message')
    return new BlackHole(child, port)
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }
}
