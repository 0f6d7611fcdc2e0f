export const message = {}

export type MessageTexts = typeof message
