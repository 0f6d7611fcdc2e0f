/**
 * Remote pictures in CSS between the reader's consent and their first request. The mail's URL is replaced by a variable, whose first value
 * is an empty picture with the variable's name. The variable gets the URL when a box that shows it is visible.
 */
import { isMovedAway } from './invisible-styles.ts'
import { type Clipped, isUnseen, isUnseenLength } from './unseen.ts'

/** A CSS variable and the value that loads the picture. */
export type HeldBackground = { readonly variable: string; readonly value: string }

const EMPTY = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const HELD_NAME = /#(--mail-picture-\d+)"/g

/** The variables before each picture was judged. */
export function emptyBackgrounds(held: readonly HeldBackground[]): string {
  return rootRule(held.map(({ variable }) => `${variable}: url("${EMPTY}#${variable}")`))
}

export function shownBackgrounds(shown: readonly HeldBackground[]): string {
  return rootRule(shown.map(({ variable, value }) => `${variable}: ${value}`))
}

/** The variables that some box or generated content uses, and which of them are visible there. */
export function judgeBackgrounds(inner: Document, clipped: Clipped) {
  const used = new Set<string>()
  const seen = new Set<string>()
  for (const element of [inner.documentElement, ...Array.from(inner.documentElement.querySelectorAll('body, body *'))])
    for (const part of [undefined, '::before', '::after']) {
      const style = inner.defaultView?.getComputedStyle(element, part)
      if (!style?.backgroundImage.includes('#--mail-picture-') || (part && style.content === 'none')) continue
      const variables = Array.from(style.backgroundImage.matchAll(HELD_NAME), ([, variable = '']) => variable)
      const isTooSmall = part !== undefined && (isUnseenLength(style.width) || isUnseenLength(style.height))
      const isSeen = !isTooSmall && !isPoint(style) && !isDrawnOutside(style, element) && !isUnseen(element, clipped)
      for (const variable of variables) {
        used.add(variable)
        if (isSeen) seen.add(variable)
      }
    }
  return { used, seen }
}

/** Drawn once and no larger than a point. A repeated point is a pattern. */
function isPoint({ backgroundRepeat, backgroundSize }: CSSStyleDeclaration): boolean {
  return /^no-repeat(?:,|$)/.test(backgroundRepeat) && backgroundSize.split(/[ ,]+/).every(isUnseenLength)
}

/** One picture that is not repeated, moved out of its box. */
function isDrawnOutside({ backgroundImage, backgroundRepeat, backgroundPosition }: CSSStyleDeclaration, element: Element): boolean {
  const isOne = backgroundRepeat === 'no-repeat' && !backgroundImage.includes('), ')
  return isOne && isMovedAway(backgroundPosition, element.getBoundingClientRect())
}

function rootRule(declarations: readonly string[]): string {
  return declarations.length === 0 ? '' : `:root { ${declarations.join('; ')} }\n`
}
