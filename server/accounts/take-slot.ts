/**
 * Holds "at most so many per account" under any concurrency and without a transaction:
 * each thing takes a number below the limit, and the table's unique key lets one taker have it.
 * Resolves to the number taken, or `undefined` when all are.
 */
export async function takeSlot(slotsMax: number, tryInsert: (slot: number) => Promise<boolean>): Promise<number | undefined> {
  for (let slot = 0; slot < slotsMax; slot++) {
    if (await tryInsert(slot)) return slot
  }
  return undefined
}
