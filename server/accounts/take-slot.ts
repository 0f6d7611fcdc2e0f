/**
 * Enforces "at most N per account" under concurrency without a transaction: each row takes a number below the limit, and the table's unique
 * key gives each number to one taker. Resolves to the number, or `undefined` if all are taken.
 */
export async function takeSlot(slotsMax: number, tryInsert: (slot: number) => Promise<boolean>): Promise<number | undefined> {
  for (let slot = 0; slot < slotsMax; slot++) {
    if (await tryInsert(slot)) return slot
  }
  return undefined
}
