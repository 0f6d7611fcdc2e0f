import type { AccountTexts } from '../en/account.ts'

export const account: AccountTexts = {}
