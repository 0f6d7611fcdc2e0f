/**
 * What a thread can do, as a type: one function per task, from its arguments and its bytes to a `TaskResult`. The types below take one task
 * out of it, so that both sides of a thread check the same functions:
 *
 *     type Tasks = { read(args: { name: string }, bytes: readonly [{ raw: Uint8Array }]): TaskResult<number, 'summary'> }
 *     TaskArgs<Tasks, 'read'>    // { name: string }
 *     TaskBytes<Tasks, 'read'>   // readonly [{ raw: Uint8Array }]
 *     TaskOutput<Tasks, 'read'>  // { value: number; bytes: readonly { summary: Buffer }[] }
 */
import type { ByteFields, Pieces } from './batch.ts'

/** `freeable`: bytes that are no longer needed, and that no part of the result lies in. */
export type TaskResult<Value, Field extends string = never> = {
  readonly value: Value
  readonly bytes?: readonly Readonly<Record<Field, Pieces>>[]
  readonly freeable?: Uint8Array
}
export type Task = (args: never, bytes: never) => TaskResult<unknown, string> | Promise<TaskResult<unknown, string>>

type TaskName<Tasks> = keyof Tasks & string
export type TaskArgs<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (args: infer Args, bytes: never) => unknown ? Args : never
/** None for a task that takes no bytes. */
export type TaskBytes<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (args: never, bytes: infer Bytes) => unknown
  ? Bytes extends readonly ByteFields[]
    ? Bytes
    : readonly []
  : never
type ResultOf<Tasks, Name extends TaskName<Tasks>> = Tasks[Name] extends (...args: never) => infer Returned ? Awaited<Returned> : never
type FieldsOf<Result> = Result extends { readonly bytes?: readonly (infer Each)[] } ? keyof Each & string : never
/** The bytes are in shared memory and belong to the caller. */
export type TaskOutput<Tasks, Name extends TaskName<Tasks>> = {
  readonly value: ResultOf<Tasks, Name> extends { readonly value: infer Value } ? Value : never
  readonly bytes: readonly Readonly<Record<FieldsOf<ResultOf<Tasks, Name>>, Buffer>>[]
}
