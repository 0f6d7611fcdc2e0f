/**
 * What a style attribute may say in the simple view: what carries meaning. Colours, sizes, fonts and spacing are ours there, in light and
 * dark alike, so that words are never drawn on the wrong ground.
 */
import { safeValue } from './css-values.ts'

const KEPT = 'font-weight font-style text-decoration-line text-transform text-align direction unicode-bidi list-style-type'.split(' ')
/** Longer link texts are sentences, however they are dressed. */
const BUTTON_CHARS_MAX = 48
/** Whole names or parts of them, as the common builders of newsletters write them: `btn`, `btn-primary`, `mcnButton`, `button__text`. */
const BUTTON_CLASS = /(?:^|[\s_-])(?:btn|cta)(?:$|[\s_-])|button/i
const NO_COLOR = /^(?:|none|transparent|initial|inherit|unset|rgba\(0, 0, 0, 0\))$/

/** As the page's own buttons for links out of a mail (web/components/ui/link-chip.ts); the colour of the words is that of all links. */
const BUTTON_STYLE =
  'display: inline-block; margin: 6px 0; padding: 10px 16px; border: 1px solid light-dark(oklch(0.55 0.09 195), oklch(0.73 0.09 195)); ' +
  'border-radius: 8px; font-weight: 500; line-height: 1.35; text-decoration: none'

/** The style attribute of an element of the simple view; empty when it needs none. */
export function simpleStyle(element: HTMLElement, isButton: boolean): string {
  const { style } = element
  if (isHidden(style)) return 'display: none'
  if (isButton) return BUTTON_STYLE
  const kept = KEPT.flatMap(property => {
    const safe = safeValue(property, style.getPropertyValue(property), () => undefined)
    return safe === undefined ? [] : [`${property}: ${safe}`]
  })
  if (style.getPropertyValue('white-space-collapse') === 'preserve' || /^pre/.test(style.whiteSpace)) kept.push('white-space: pre-wrap')
  return kept.join('; ')
}

/** The line for the list of mails that newsletters hide at their top, in the ways they hide it. */
function isHidden(style: CSSStyleDeclaration): boolean {
  const isZero = (property: string) => /^0(?:[a-z]+|%)?$/.test(style.getPropertyValue(property))
  return (
    style.display === 'none' ||
    style.visibility === 'hidden' ||
    isZero('opacity') ||
    ((isZero('max-height') || isZero('height')) && /hidden|clip/.test(style.overflow || style.overflowY))
  )
}

/** Whether the sender designed this link as a button: with a background, a border, or a class name that says so. */
export function isButtonLink(link: HTMLAnchorElement): boolean {
  return (
    hasButtonText(link) && (BUTTON_CLASS.test(link.className) || (isPadded(link.style) && (hasBackground(link) || hasFrame(link.style))))
  )
}

/** The one link of a table cell or box that is drawn as a button around it. */
export function buttonInside(box: HTMLElement): HTMLAnchorElement | undefined {
  const isNamed = BUTTON_CLASS.test(box.className)
  // Called for every element, so the cheap checks come first.
  if (!isNamed && !hasBackground(box)) return undefined
  const [link, second] = Array.from(box.querySelectorAll('a'))
  if (!link || second || !hasButtonText(link) || (box.textContent ?? '').trim() !== (link.textContent ?? '').trim()) return undefined
  if (isNamed) return link
  const isPlainLink = !/none/.test(link.style.textDecorationLine || link.style.textDecoration) && !isPadded(link.style)
  return isPlainLink ? undefined : link
}

function hasButtonText(link: HTMLAnchorElement): boolean {
  const text = (link.textContent ?? '').trim()
  return text !== '' && text.length <= BUTTON_CHARS_MAX && link.hasAttribute('href')
}

function hasBackground(element: HTMLElement): boolean {
  const { backgroundColor } = element.style
  return element.hasAttribute('bgcolor') || !NO_COLOR.test(backgroundColor) || /gradient\(/.test(element.style.backgroundImage)
}

function hasFrame(style: CSSStyleDeclaration): boolean {
  return Number.parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none'
}

function isPadded(style: CSSStyleDeclaration): boolean {
  return Number.parseFloat(style.paddingTop) > 0 || Number.parseFloat(style.borderTopWidth) >= 5
}
