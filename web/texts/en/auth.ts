export const auth = {}

export type AuthTexts = typeof auth
