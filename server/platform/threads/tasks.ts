/** Types of the tasks of a worker thread, shared by both sides. */
import type { PeerRequest, Pieces } from './batch.ts'

/**
 * `freeable`: bytes that are no longer needed, and that no part of the result lies in. `forward`: what the peer of this thread is to do.
 */
export type TaskResult<Value> = {
  readonly value: Value
  readonly bytes?: readonly Pieces[]
  readonly freeable?: Uint8Array
  readonly forward?: readonly PeerRequest[]
}
export type Task = (args: never, bytes: never) => TaskResult<unknown> | Promise<TaskResult<unknown>>

type TaskName<Tasks> = keyof Tasks & string
export type TaskArgs<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (args: infer Args, bytes: never) => unknown ? Args : never
type TaskValue<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (...args: never) => infer Result
  ? Awaited<Result> extends TaskResult<infer Value>
    ? Value
    : never
  : never
/** The bytes are in shared memory and belong to the caller. */
export type TaskOutput<Tasks, Name extends TaskName<Tasks>> = { readonly value: TaskValue<Tasks, Name>; readonly bytes: readonly Buffer[] }
