import type { ContactTexts } from '../en/contact.ts'

export const contact: ContactTexts = {}
