import type { InboxTexts } from '../en/inbox.ts'

export const inbox: InboxTexts = {}
