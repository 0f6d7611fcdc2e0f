/** The tracking pixels that were blocked in the mails opened in this page. Kept in its memory only, for the receipt at the end. */
const blocked = new Map<string, number>()

export function noteBlockedTrackers(messageId: string, count: number): void {
  blocked.set(messageId, Math.max(count, blocked.get(messageId) ?? 0))
}

export const countBlockedTrackers = (messageIds: readonly string[]) => messageIds.reduce((sum, id) => sum + (blocked.get(id) ?? 0), 0)
