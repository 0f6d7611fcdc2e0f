/**
 * Two tabs that are restored at once must not both create an address. Locks are missing on plain-http origins, where the limit still bounds
 * the harm.
 */
export async function exclusively(task: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request('mayfly.generate', task)
  else await task()
}
