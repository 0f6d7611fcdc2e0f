/** Whether a mail in its original layout is shown dark or on a white background when the site is dark. */
import type { CleanMail, MailView } from '../sanitize/sanitize.ts'
import { faintTexts, type Rgb } from './contrast.ts'

/** What the visitor chose for a mail; `auto` trusts the mail's own dark mode as far as it can be read. */
export type ThemeChoice = 'auto' | 'light' | 'dark'

/** The page by night, as web/styles.css draws it. */
const NIGHT: Rgb = [15, 18, 26]
const WHITE: Rgb = [255, 255, 255]
/** WCAG 2 for large text; smaller text of a mail that has more is left as drawn. */
const CONTRAST_MIN = 3

export const isNight = () => matchMedia('(prefers-color-scheme: dark)').matches

/** A mail with colours of its own was drawn for white, unless it brings a dark mode that can be read. The simple view is ours to colour. */
export function applyTheme(inner: Document, mail: CleanMail, view: MailView, choice: ThemeChoice): boolean {
  const isPaper = needsPaper(inner, mail, view, choice)
  setPaper(inner, isPaper)
  return isPaper
}

function needsPaper(inner: Document, mail: CleanMail, view: MailView, choice: ThemeChoice): boolean {
  if (view === 'simple' || !mail.hasColors) return false
  if (!mail.hasDarkMode) return true
  if (choice !== 'auto' || !isNight()) return choice === 'light'
  setPaper(inner, true)
  const onPaper = new Set(faintTexts(inner, WHITE, CONTRAST_MIN).map(({ text }) => text))
  setPaper(inner, false)
  return faintTexts(inner, NIGHT, CONTRAST_MIN).some(({ text }) => !onPaper.has(text))
}

function setPaper(inner: Document, isPaper: boolean): void {
  inner.documentElement.toggleAttribute('data-paper', isPaper)
  for (const sheet of Array.from(inner.styleSheets)) setDarkRules(sheet.cssRules, !isPaper)
}

const NEVER = 'not all'
const written = new WeakMap<CSSRule, string>()

/** Rules for `prefers-color-scheme: dark` follow the visitor's system, not the paper the mail lies on: on paper they are switched off. */
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
