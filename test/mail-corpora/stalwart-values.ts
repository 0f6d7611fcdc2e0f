/** Addresses and dates as stalwart's JSON writes them. */
import * as z from 'zod/mini'
import type { MailAddress } from '#reader/mime/types.ts'
import { withWordsAsNames } from './shown.ts'

const addressSchema = z.object({ name: z.nullable(z.string()), address: z.nullable(z.string()) })
export const addressesSchema = z.union([
  z.object({ List: z.array(addressSchema) }),
  z.object({ Group: z.array(z.object({ addresses: z.array(addressSchema) })) }),
])
export const dateSchema = z.object({
  year: z.number(),
  month: z.number(),
  day: z.number(),
  hour: z.number(),
  minute: z.number(),
  second: z.number(),
  tz_before_gmt: z.boolean(),
  tz_hour: z.number(),
  tz_minute: z.number(),
})

/** Groups are flattened, and missing values are empty texts. */
export function expectedAddresses(value: z.infer<typeof addressesSchema>): MailAddress[] {
  const list = 'List' in value ? value.List : value.Group.flatMap(group => group.addresses)
  return list.map(({ name, address }) => withWordsAsNames({ name: name ?? '', address: address ?? '' }))
}

/** ISO 8601 in UTC; `undefined` if the numbers are no valid time. */
export function expectedDate(d: z.infer<typeof dateSchema>): string | undefined {
  const zone = (d.tz_hour * 60 + d.tz_minute) * (d.tz_before_gmt ? -1 : 1)
  const time = new Date(Date.UTC(d.year, d.month - 1, d.day, d.hour, d.minute - zone, d.second))
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
