/** Asks over one connection of HTTP/2 with Node's own client, as many requests at once as are made. */
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import { Readable } from 'node:stream'

type Http2Response = {
  /** Rejects if the connection ends before. */
  readonly headers: Promise<IncomingHttpHeaders>
  /** What has arrived of its body. */
  heard(): string
  /** Resolves with the whole body, or what arrived of it before the stream was closed. */
  readonly ended: Promise<string>
}

export class Http2Client implements AsyncDisposable {
  readonly #session: ClientHttp2Session

  /** Does not verify the certificate. Without TLS it speaks HTTP/2 from its first byte. */
  constructor(url: string) {
    this.#session = connect(url, { rejectUnauthorized: false })
    // Each request of the connection rejects with it.
    this.#session.on('error', () => undefined)
  }

  /** With a body it is a POST of JSON. */
  ask(path: string, headers: Record<string, string> = {}, body?: string): Http2Response {
    const [answered, ended] = [Promise.withResolvers<IncomingHttpHeaders>(), Promise.withResolvers<string>()]
    const json = body === undefined ? {} : { ':method': 'POST', 'content-type': 'application/json' }
    const stream = this.#session.request({ ':path': path, ...json, ...headers }, { endStream: body === undefined })
    let text = ''
    stream.setEncoding('utf8')
    stream.on('response', answered.resolve)
    stream.on('data', chunk => {
      text += chunk
    })
    // A refusal may come, and the rest of the body be refused, while it is being sent.
    stream.on('error', answered.reject)
    stream.on('close', () => {
      answered.reject(new Error(`The stream of ${path} was closed before its response`))
      ended.resolve(text)
    })
    // Node resets a stream whose response begins while more than 10 MB wait to be sent: its limit of memory for a session.
    if (body !== undefined) Readable.from(body.match(/.{1,65536}/gs) ?? []).pipe(stream)
    answered.promise.catch(() => undefined)
    return { headers: answered.promise, heard: () => text, ended: ended.promise }
  }

  async [Symbol.asyncDispose]() {
    this.#session.destroy()
  }
}
