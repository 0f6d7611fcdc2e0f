export const contact = {}

export type ContactTexts = typeof contact
