export const account = {}

export type AccountTexts = typeof account
