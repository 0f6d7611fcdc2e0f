/** The thread that owns the database. */
import { AppError } from '#server/errors.ts'
import { hintGarbage } from '#server/platform/memory/gc-hint.ts'
import type { TaskReply } from '#server/platform/threads/batch.ts'
import { failureReply, serveBatches } from '#server/platform/threads/serve.ts'
import { Engine } from './engine.ts'
import { isStoreCall, type StoreCall, type StoreRequest, type StoreSettings } from './protocol.ts'

/** After this long without work the log is emptied. */
const IDLE_MS = 500

serveBatches<StoreSettings, StoreRequest>(settings => {
  const engine = new Engine(settings)
  let idleTimer: NodeJS.Timeout | undefined
  return {
    handle(requests, reply) {
      clearTimeout(idleTimer)
      const calls = requests.filter(isStoreCall)
      engine.run(calls, replies => {
        reply(replies)
        for (const { byteLength } of replies.map(rawInReply)) hintGarbage(byteLength)
      })
      for (const { byteLength } of calls.map(rawInCall)) hintGarbage(byteLength)
      for (const request of requests) {
        if (request.task === 'about') {
          const { storeId, lostTransactions } = engine
          reply([{ id: request.id, value: { storeId, lostTransactions }, bytes: [] }])
        }
        if (request.task === 'copyTo') void copy(engine, request.id, request.args.path).then(copied => reply([copied]))
      }
      idleTimer = setTimeout(() => engine.idle(), IDLE_MS)
    },
    close(reply) {
      clearTimeout(idleTimer)
      engine.close(reply)
    },
  }
})

async function copy(engine: Engine, id: number, path: string): Promise<TaskReply> {
  try {
    await engine.copyTo(path)
    return { id, value: undefined, bytes: [] }
  } catch (error) {
    return failureReply(id, new AppError('unavailable', { cause: error }))
  }
}

const NOTHING = new Uint8Array(0)

function rawInCall(call: StoreCall): Uint8Array {
  return call.task === 'deliver' ? call.args.message.sealedRaw : NOTHING
}

function rawInReply(reply: TaskReply): Uint8Array {
  const raw = 'value' in reply && reply.value && typeof reply.value === 'object' && 'sealedRaw' in reply.value && reply.value.sealedRaw
  return raw instanceof Uint8Array ? raw : NOTHING
}
