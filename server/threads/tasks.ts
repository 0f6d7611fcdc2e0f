/** What a worker thread can be asked to do, typed from both sides. */
import type { Pieces } from './batch.ts'

/** `spent`: bytes that nothing of the result lies in and nobody needs any more. */
export type TaskResult<Value> = { readonly value: Value; readonly bytes?: readonly Pieces[]; readonly spent?: Uint8Array }
export type Task = (args: never, bytes: never) => TaskResult<unknown> | Promise<TaskResult<unknown>>

type TaskName<Tasks> = keyof Tasks & string
export type TaskArgs<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (args: infer Args, bytes: never) => unknown ? Args : never
type TaskValue<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (...args: never) => infer Result
  ? Awaited<Result> extends TaskResult<infer Value>
    ? Value
    : never
  : never
/** The bytes are in shared memory and the caller's. */
export type TaskAnswer<Tasks, Name extends TaskName<Tasks>> = { readonly value: TaskValue<Tasks, Name>; readonly bytes: readonly Buffer[] }
