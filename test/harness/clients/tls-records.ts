/** Writes records of TLS 1.3 by hand on a connection (RFC 8446), because no library sends messages that change the keys without end. */
import { createCipheriv, createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** Peers must agree on it: `ciphers` of both. */
export const CIPHER = 'TLS_AES_128_GCM_SHA256'
const [HANDSHAKE, APPLICATION_DATA] = [22, 23]
/** RFC 8446 section 4.6.3: the peer's keys need not change. */
const KEY_UPDATE = Buffer.from([24, 0, 0, 1, 0])

function expandLabel(secret: Buffer, label: string, length: number): Buffer {
  const info = Buffer.concat([Buffer.from([0, length, label.length + 6]), Buffer.from(`tls13 ${label}`), Buffer.from([0, 1])])
  return createHmac('sha256', secret).update(info).digest().subarray(0, length)
}

/** `sent`: records that TLS itself has sent under these keys. It may send no more. */
export class RecordWriter {
  readonly #plain: Socket
  #secret: Buffer
  #sequence: number

  constructor(plain: Socket, secret: Buffer, sent: number) {
    this.#plain = plain
    this.#secret = secret
    this.#sequence = sent
  }

  /** Changes the keys so many times before the text. */
  send(keyUpdates: number, text: string): void {
    const updates = Array.from({ length: keyUpdates }, () => {
      const record = this.#record(KEY_UPDATE, HANDSHAKE)
      this.#secret = expandLabel(this.#secret, 'traffic upd', 32)
      this.#sequence = 0
      return record
    })
    const sent = Buffer.concat([...updates, this.#record(Buffer.from(text), APPLICATION_DATA)])
    // What TLS itself has to send leaves first.
    setImmediate(() => this.#plain.write(sent))
  }

  #record(content: Buffer, type: number): Buffer {
    const nonce = expandLabel(this.#secret, 'iv', 12)
    nonce.writeInt32BE(nonce.readInt32BE(8) ^ this.#sequence++, 8)
    const head = Buffer.from([APPLICATION_DATA, 3, 3, 0, 0])
    head.writeUInt16BE(content.length + 17, 3)
    const cipher = createCipheriv('aes-128-gcm', expandLabel(this.#secret, 'key', 16), nonce).setAAD(head)
    return Buffer.concat([head, cipher.update(Buffer.concat([content, Buffer.from([type])])), cipher.final(), cipher.getAuthTag()])
  }
}

/** Secures a connection, and resolves when the handshake is over. Only the result may write then. */
export async function secureByHand(plain: Socket, secured: TLSSocket, side: 'CLIENT' | 'SERVER', sent: number): Promise<RecordWriter> {
  let secret = Buffer.alloc(0)
  secured.on('keylog', (line: Buffer) => {
    const [label, , hex = ''] = line.toString().trim().split(' ')
    if (label === `${side}_TRAFFIC_SECRET_0`) secret = Buffer.from(hex, 'hex')
  })
  await once(secured, 'secure')
  return new RecordWriter(plain, secret, sent)
}
