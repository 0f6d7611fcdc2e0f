/** What is stored of a subject and for how long. `contactDays` is unknown in the prerendered page. */
type Retention = string | ((p: { contactDays: number | undefined }) => string)
/** A part of the privacy page or of the terms. A point is a sentence, or a subject and its retention. */
export type LegalSection = { title: string; points: (string | [subject: string, retention: Retention])[] }
