export const inbox = {}

export type InboxTexts = typeof inbox
