/** Whether a mail in its original layout is shown dark or on a white background when the site is dark. */
import { type FaintText, faintTexts, parseColor, type Rgb, strongerInk } from './faint-texts.ts'
import { PICTURE_LACKS } from './safe-css.ts'
import type { CleanMail, MailView } from './sanitize.ts'

/** What the visitor chose for a mail; `auto` trusts the mail's own dark mode as far as it can be read. */
export type ThemeChoice = 'auto' | 'light' | 'dark'

/** The page by night, as web/styles.css draws it. */
const NIGHT: Rgb = [15, 18, 26]
const WHITE: Rgb = [255, 255, 255]
/** WCAG 2 for large text; smaller text of a mail that has more is left as drawn. */
const CONTRAST_MIN = 3

export const isNight = () => matchMedia('(prefers-color-scheme: dark)').matches

/**
 * Returns whether the mail is shown on white. A mail with its own colours was designed for white, unless it has a readable dark mode. The
 * colours of the simple view are ours.
 */
export function applyTheme(inner: Document, mail: CleanMail, view: MailView, choice: ThemeChoice): boolean {
  restore(inner)
  const isOnWhite = needsWhite(inner, mail, view, choice)
  setOnWhite(inner, isOnWhite)
  const backdrop = isOnWhite || !isNight() ? WHITE : NIGHT
  // By night its sender meant it to be dark, so pale text on white is our doing, and a dark mode is often half done.
  const isInkOurs = mail.hasDarkMode && isNight() && view === 'layout'
  const faint = isInkOurs || mail.lacksPictures ? faintTexts(inner, backdrop, CONTRAST_MIN) : []
  const bare = mail.lacksPictures ? bareBoxes(faint) : []
  const pale = isInkOurs ? faint.filter(({ ratio }) => ratio > HIDDEN_RATIO_MAX) : []
  change(inner, [...bare, ...pale.map(({ element, ink, ground }) => ({ element, property: 'color', ink, ground }))])
  return isOnWhite
}

/** Paler words are hidden on purpose, such as the line for the list of mails. */
const HIDDEN_RATIO_MAX = 1.3
type Change = {
  readonly element: HTMLElement
  readonly property: string
  readonly ink: Rgb
  readonly ground: Rgb
}
const changed = new WeakMap<Document, readonly (readonly [element: HTMLElement, style: string | null])[]>()

/** The boxes whose picture is blocked and whose words need a ground for it, unless their sender gave them a colour. */
function bareBoxes(faint: readonly FaintText[]): Change[] {
  const boxes = new Map<HTMLElement, FaintText[]>()
  const known = new Map<HTMLElement, HTMLElement>()
  for (const text of faint) {
    const box = pictureBox(text.element, known)
    if (box) boxes.set(box, [...(boxes.get(box) ?? []), text])
  }
  return Array.from(boxes).flatMap(([element, [first, ...others]]) => {
    const chars = others.reduce((sum, { text }) => sum + text.length, first?.text.length ?? 0)
    // A pale line among words that can be read was hidden on purpose.
    const isNeeded = chars * 2 >= element.innerText.trim().length
    return first && isNeeded ? [{ element, property: 'background-color', ink: first.ground, ground: first.ink }] : []
  })
}

/** The outermost box around `element` whose picture is blocked, unless it has a colour. */
function pictureBox(element: HTMLElement, known: Map<HTMLElement, HTMLElement>): HTMLElement | undefined {
  const passed: HTMLElement[] = []
  let box: HTMLElement | undefined
  for (let at: HTMLElement | null = element; at; at = at.parentElement) {
    const outermost = known.get(at)
    box = outermost ?? box
    if (outermost || !getComputedStyle(at).getPropertyValue(PICTURE_LACKS)) break
    passed.push(at)
    box = at
  }
  if (box) for (const at of passed) known.set(at, box)
  return box && parseColor(getComputedStyle(box).backgroundColor)[3] === 0 ? box : undefined
}

function change(inner: Document, changes: readonly Change[]): void {
  changed.set(
    inner,
    changes.map(({ element }) => [element, element.getAttribute('style')]),
  )
  // A little more than measured: colours are rounded on their way to the screen.
  for (const { element, property, ink, ground } of changes)
    element.style.setProperty(property, strongerInk(ink, ground, CONTRAST_MIN + 0.1), 'important')
}

function restore(inner: Document): void {
  // Backwards: an element with several texts is listed once for each.
  for (const [element, style] of [...(changed.get(inner) ?? [])].reverse()) {
    if (style === null) element.removeAttribute('style')
    else element.setAttribute('style', style)
  }
  changed.delete(inner)
}

function needsWhite(inner: Document, mail: CleanMail, view: MailView, choice: ThemeChoice): boolean {
  if (view === 'simple' || !mail.hasColors) return false
  if (!mail.hasDarkMode) return true
  if (choice !== 'auto' || !isNight()) return choice === 'light'
  setOnWhite(inner, true)
  const faintOnWhite = faintChars(inner, WHITE)
  setOnWhite(inner, false)
  return faintChars(inner, NIGHT) > faintOnWhite
}

/** How many characters of a mail can hardly be read. Many mails have a pale line in both modes. */
function faintChars(inner: Document, backdrop: Rgb): number {
  return faintTexts(inner, backdrop, CONTRAST_MIN).reduce((sum, { text }) => sum + text.length, 0)
}

function setOnWhite(inner: Document, isOnWhite: boolean): void {
  inner.documentElement.toggleAttribute('data-on-white', isOnWhite)
  for (const sheet of Array.from(inner.styleSheets)) setDarkRules(sheet.cssRules, !isOnWhite)
}

const NEVER = 'not all'
const written = new WeakMap<CSSRule, string>()

/** Rules for `prefers-color-scheme: dark` follow the visitor's system, not the background of the mail: on white they are switched off. */
function setDarkRules(rules: CSSRuleList, isOn: boolean): void {
  for (const rule of Array.from(rules)) {
    // Rules of the frame are instances of the frame's own classes, so no instanceof of ours fits.
    const { media, cssRules } = rule as CSSRule & Partial<CSSMediaRule>
    if (media) {
      const original = written.get(rule) ?? media.mediaText
      written.set(rule, original)
      if (/prefers-color-scheme: dark/.test(original)) media.mediaText = isOn ? original : NEVER
    }
    if (cssRules) setDarkRules(cssRules, isOn)
  }
}
