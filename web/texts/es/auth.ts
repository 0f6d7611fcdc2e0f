import type { AuthTexts } from '../en/auth.ts'

export const auth: AuthTexts = {}
