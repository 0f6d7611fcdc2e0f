/** Where a candidate stands in a mail, and what the words around it mean. */

import { type Concept, findConcepts, type Hit } from '../concepts/concepts.ts'
import type { Candidate } from './shapes.ts'

/** How much of a line is read on each side of a candidate, and of the lines around it. */
const BEFORE_CHARS = 180
const AFTER_CHARS = 110
const AROUND_CHARS = 180
/** A line is searched for concepts once, unless it is longer. */
const LINE_CHARS_MAX = 400

/** The non-empty lines of one part of a mail, and which of them begin a paragraph. `areOfCode` and below: what was asked of each so far. */
export type Part = {
  readonly lines: readonly string[]
  readonly begins: readonly boolean[]
  readonly isSubject: boolean
  readonly areOfCode: boolean[]
  readonly hits: Hit[][]
  readonly spots: Spot[][]
  /** All lines in small letters. */
  readonly lowered: () => string
  /** Where an older mail begins below an answer, or -1. */
  readonly cited: () => number
}

/** `index`: the line of the candidate. `before`, `after`: what is read of the line on each side. `isAlone`: these are nothing but signs. */
export type Spot = {
  readonly candidate: Candidate
  readonly index: number
  readonly before: string
  readonly after: string
  readonly isAlone: boolean
  readonly part: Part
}

export function toSpot(candidate: Candidate, index: number, part: Part): Spot {
  const line = part.lines[index] ?? ''
  const before = line.slice(Math.max(0, candidate.start - BEFORE_CHARS), candidate.start)
  const after = line.slice(candidate.end, candidate.end + AFTER_CHARS)
  const isAlone = /^[\s"“”«»'‘’「」『』【】[\](){}*•·>–—-]*$/u.test(before) && /^[\s"“”«»'‘’「」『』【】[\](){}*.。<]*$/u.test(after)
  return { candidate, index, before, after, isAlone, part }
}

/** Whether it stands in such an older mail: if that begins with `>`, or with a colon and then `>`, only in lines that do. */
export function isCited({ index, part: { cited, lines } }: Spot): boolean {
  const first = cited()
  const isMarked = /^>|[:：]$/.test(lines[first] ?? '')
  return first !== -1 && index >= first && (!isMarked || lines[index]?.startsWith('>') === true)
}

/** The line so many lines below the candidate's, or above it. */
export function lineAt({ index, part }: Spot, offset: number): string {
  return part.lines[index + offset] ?? ''
}

/** The candidate's line around it, the end of a line above it, or the beginning of one below: so much of it is read. */
export function placeAt({ candidate, index, part, before, after }: Spot, offset: number): [line: string, from: number, to: number] {
  const line = part.lines[index + offset] ?? ''
  if (offset < 0) return [line, Math.max(0, line.length - AROUND_CHARS), line.length]
  if (offset > 0) return [line, 0, Math.min(line.length, AROUND_CHARS)]
  return line.length <= LINE_CHARS_MAX ? [line, 0, line.length] : [line, candidate.start - before.length, candidate.end + after.length]
}

/** The concepts there. */
export function conceptsAt(spot: Spot, offset: number): readonly Hit[] {
  const [line, from, to] = placeAt(spot, offset)
  if (line === '') return []
  if (line.length > LINE_CHARS_MAX) return findConcepts(line, from, to)
  spot.part.hits[spot.index + offset] ??= findConcepts(line)
  const hits = spot.part.hits[spot.index + offset] ?? []
  return to - from === line.length ? hits : hits.filter(({ start, end }) => start >= from && end <= to)
}

/** The concepts before a candidate and after it: in its sentence, and in those beside that. */
export function conceptsBeside(spot: Spot): Record<'preceding' | 'before' | 'after' | 'following', Hit[]> {
  const { candidate, before, after } = spot
  const { start, end } = candidate
  const [first, last] = [start - before.length, end + after.length]
  const from = start - (before.split(SENTENCE).at(-1) ?? '').length
  const to = end + (after.split(SENTENCE)[0] ?? '').length
  const hits = conceptsAt(spot, 0)
  return {
    preceding: hits.filter(hit => hit.start >= first && hit.end <= from),
    before: hits.filter(hit => hit.start >= from && hit.end <= start),
    after: hits.filter(hit => hit.start >= end && hit.end <= to),
    following: hits.filter(hit => hit.start >= to && hit.end <= last),
  }
}

/** The end of a sentence. */
const SENTENCE = /[.!?؟।]["”»]?(?:\s|$)|[。！？]/u

export function has(hits: readonly Hit[], ...concepts: Concept[]): boolean {
  return hits.some(({ concept }) => concepts.includes(concept))
}
