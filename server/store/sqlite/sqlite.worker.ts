/** The thread that owns the database. */
import { AppError } from '#server/errors.ts'
import { hintGarbage } from '#server/platform/memory/gc-hint.ts'
import type { TaskReply, TaskRequest } from '#server/platform/threads/batch.ts'
import { failureReply, serveBatches } from '#server/platform/threads/serve.ts'
import type { SealedMessage } from '../store.ts'
import { Engine } from './engine.ts'
import { type StoreCall, type StoreSettings, toStoreCall } from './protocol.ts'

/** After this long without work the log is emptied. */
const IDLE_MS = 500

serveBatches((settings: StoreSettings) => {
  const engine = new Engine(settings)
  let idleTimer: NodeJS.Timeout | undefined
  return {
    handle(requests, reply) {
      clearTimeout(idleTimer)
      const calls = requests.filter(({ task }) => task !== 'about' && task !== 'copyTo').map(toStoreCall)
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
        if (request.task === 'copyTo') void copy(engine, request).then(copied => reply([copied]))
      }
      idleTimer = setTimeout(() => engine.idle(), IDLE_MS)
    },
    close() {
      clearTimeout(idleTimer)
      engine.close()
    },
  }
})

async function copy(engine: Engine, { id, args }: TaskRequest): Promise<TaskReply> {
  try {
    await engine.copyTo((args as [string])[0])
    return { id, value: undefined, bytes: [] }
  } catch (error) {
    return failureReply(id, new AppError('unavailable', { cause: error }))
  }
}

const NOTHING = new Uint8Array(0)

function rawInCall({ query, args }: StoreCall): Uint8Array {
  return query === 'deliver' ? (args[1] as SealedMessage).sealedRaw : NOTHING
}

function rawInReply(reply: TaskReply): Uint8Array {
  const raw = 'value' in reply && reply.value && typeof reply.value === 'object' && 'sealedRaw' in reply.value && reply.value.sealedRaw
  return raw instanceof Uint8Array ? raw : NOTHING
}
