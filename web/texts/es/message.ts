import type { MessageTexts } from '../en/message.ts'

export const message: MessageTexts = {}
