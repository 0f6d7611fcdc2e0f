/**
 * Validators for values from outside: a schema library would take 7 kB of the 89 that a first visit may cost. Those of replies are derived
 * from the schemas in contract/ (api/page-route.ts).
 */

/** Whether `value` is a `T`. Extra properties are allowed. */
export type Shape<T> = (value: unknown) => value is T

export const text: Shape<string> = value => typeof value === 'string'
export const flag: Shape<boolean> = value => typeof value === 'boolean'
export const number: Shape<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value)

/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const T extends string>(...values: readonly T[]): Shape<T> {
  return (value): value is T => values.some(known => known === value)
}

/* @__NO_SIDE_EFFECTS__ */
export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value): value is T | undefined => value === undefined || shape(value)
}

/* @__NO_SIDE_EFFECTS__ */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value): value is T | null => value === null || shape(value)
}

/* @__NO_SIDE_EFFECTS__ */
export function list<T>(shape: Shape<T>): Shape<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(shape)
}

/* @__NO_SIDE_EFFECTS__ */
export function pair<A, B>(first: Shape<A>, second: Shape<B>): Shape<[A, B]> {
  return (value): value is [A, B] => Array.isArray(value) && value.length === 2 && first(value[0]) && second(value[1])
}

/* @__NO_SIDE_EFFECTS__ */
export function record<T>(shape: Shape<T>): Shape<Record<string, T>> {
  return (value): value is Record<string, T> => isObject(value) && Object.values(value).every(shape)
}

/* @__NO_SIDE_EFFECTS__ */
export function either<const Shapes extends readonly Shape<unknown>[]>(...shapes: Shapes): Shape<Shaped<Shapes[number]>> {
  return (value): value is Shaped<Shapes[number]> => shapes.some(shape => shape(value))
}

type Fields = Readonly<Record<string, Shape<unknown>>>
type OptionalKey<F extends Fields> = { [Key in keyof F]: undefined extends Shaped<F[Key]> ? Key : never }[keyof F]
type ObjectOf<F extends Fields> = { [Key in Exclude<keyof F, OptionalKey<F>>]: Shaped<F[Key]> } & {
  [Key in OptionalKey<F>]?: Shaped<F[Key]>
}
export type Shaped<S> = S extends Shape<infer T> ? T : never

/* @__NO_SIDE_EFFECTS__ */
export function object<F extends Fields>(fields: F): Shape<ObjectOf<F>> {
  const entries = Object.entries(fields)
  return (value): value is ObjectOf<F> =>
    isObject(value) && entries.every(([key, shape]) => shape(Object.hasOwn(value, key) ? value[key] : undefined))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
