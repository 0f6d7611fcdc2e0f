/** What the extension sees and writes in a page, only after a press: the field in focus, and the field that asks for a code. */

type FieldKind = 'address' | 'code' | 'text' | 'none'

type FrameReport = {
  readonly focused: FieldKind
  /** What stands in the field in focus. */
  readonly value: string
  readonly hasCodeField: boolean
  /** The focus is in a frame inside this one. */
  readonly isFocusDeeper: boolean
  /** The origin, if the page is of a Mayfly. */
  readonly mayfly: string | undefined
  /** The act has changed a field. */
  readonly isWritten: boolean
}

/**
 * Runs inside the page, where it sees nothing of this module. `look` writes nothing. `put` writes into the field in focus: over what is in
 * a field for an address, and at the selection of any other. `fill` writes into the field that asks for a code, or else into the field in
 * focus, and `point` into the field in focus, each only if a person sees it.
 */
export function actInPage(act: 'look' | 'put' | 'fill' | 'point', text: string): FrameReport {
  type Field = HTMLInputElement | HTMLTextAreaElement | HTMLElement
  const SEEN_PX_MIN = 10
  const SEEN_OPACITY_MIN = 0.5
  const TYPED = /^(?:text|email|tel|number|search|url|)$/
  const ADDRESS = /e-?mail|correo|username|login/i
  const CODE =
    /one-time-code|\botp|otp\b|passcode|(?:verif|confirm|security|login|auth|sms|2fa|mfa)[\w-]*[\s_-]*(?:code|pin|token)|\b(?:code|c[oó]digo|pin)\b/i
  const OTHER_CODE = /zip|post|promo|coupon|discount|country|area|gift|cup[oó]n|descuento|pa[ií]s/i

  // Names in the page shadow properties of the document and of forms, so these are read through the prototypes. No form is a field.
  const page = Document.prototype
  const read = <T>(prototype: object, name: string, of: object) =>
    Object.getOwnPropertyDescriptor(prototype, name)?.get?.call(of) as T | null
  const inputs = () => [...page.querySelectorAll.call(document, 'input')] as HTMLInputElement[]

  const isField = (element: Element | null): element is Field =>
    element instanceof HTMLInputElement
      ? TYPED.test(element.type) && !element.readOnly && !element.disabled
      : element instanceof HTMLTextAreaElement
        ? !element.readOnly && !element.disabled
        : element instanceof HTMLElement && !(element instanceof HTMLFormElement) && element.isContentEditable

  /** All words by which a page names a field. */
  const wordsOf = (field: Field) =>
    [
      ...['autocomplete', 'name', 'id', 'placeholder', 'aria-label', 'type'].map(name => field.getAttribute(name)),
      ...('labels' in field ? [...(field.labels ?? [])].map(label => label.textContent) : []),
    ].join(' ')

  const asksForCode = (field: Field) => {
    const words = wordsOf(field)
    return /one-time-code/.test(words) || (CODE.test(words.replace(/([a-z])([A-Z])/g, '$1 $2')) && !OTHER_CODE.test(words))
  }

  const kindOf = (field: Field | undefined): FieldKind => {
    if (!field) return 'none'
    if (asksForCode(field)) return 'code'
    return ADDRESS.test(wordsOf(field)) ? 'address' : 'text'
  }

  const deepFocus = () => {
    let element = read<Element>(page, 'activeElement', document)
    while (!(element instanceof HTMLFormElement) && element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    return element
  }

  /** A person can see the field: it has a size, nothing covers its middle, and it is not transparent. */
  const isSeen = (field: Field) => {
    const { left, top, width, height } = field.getBoundingClientRect()
    const root = field.getRootNode()
    const { elementFromPoint } = root === document ? page : ShadowRoot.prototype
    const hit = elementFromPoint.call(root as Document & ShadowRoot, left + width / 2, top + height / 2)
    let opacity = 1
    for (let at: Element | null = field; at; at = read<Element>(Node.prototype, 'parentElement', at))
      opacity *= Number(getComputedStyle(at).opacity)
    return Math.min(width, height) >= SEEN_PX_MIN && opacity >= SEEN_OPACITY_MIN && hit !== null && field.contains(hit)
  }

  const contentOf = (field: Field) => ('value' in field ? field.value : (field.textContent ?? ''))

  /** Writes as if it was typed, so that the page's own code hears of it. */
  const write = (field: Field, value: string) => {
    field.focus()
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
      // Libraries of forms replace the setter of the element itself.
      Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
    } else field.textContent = value
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: value }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
    return contentOf(field) === value
  }

  /** What a person has typed stays, but for what they have selected. */
  const insert = (field: Field) => {
    if (contentOf(field) === '') return write(field, text)
    if (!('value' in field)) {
      field.focus()
      // The only way that editors of rich text hear of, and that Undo takes back.
      return page.execCommand.call(document, 'insertText', false, text)
    }
    const { selectionStart: start, selectionEnd: end, value } = field as HTMLInputElement | HTMLTextAreaElement
    // A field for a number has no selection.
    if (start === null || end === null) return false
    const isWritten = write(field, value.slice(0, start) + text + value.slice(end))
    if (isWritten) field.setSelectionRange(start + text.length, start + text.length)
    return isWritten
  }

  /** Some forms have a field for each character. */
  const writeCode = (field: Field) => {
    const form = field.closest('form')
    const boxes = inputs().filter(box => box.maxLength === 1 && box.closest('form') === form && isField(box) && isSeen(box))
    if (!('maxLength' in field) || field.maxLength !== 1 || boxes.length !== text.length) return write(field, text)
    return boxes.map((box, index) => write(box, text[index] ?? '')).every(Boolean)
  }

  const focusedElement = deepFocus()
  const focused = isField(focusedElement) ? focusedElement : undefined
  const pointed = focused && isSeen(focused) ? focused : undefined
  const codeField = [pointed, ...inputs()].find(
    (field): field is Field => field !== undefined && asksForCode(field) && isField(field) && isSeen(field),
  )
  const target = { look: undefined, put: focused, fill: codeField ?? pointed, point: pointed }[act]
  const put = (field: Field) => (kindOf(field) === 'address' ? write(field, text) : insert(field))
  const isWritten = target !== undefined && (act === 'put' ? put(target) : writeCode(target))
  return {
    focused: kindOf(focused),
    value: focused ? contentOf(focused) : '',
    hasCodeField: codeField !== undefined,
    isFocusDeeper: focusedElement instanceof HTMLIFrameElement,
    mayfly: read<HTMLElement>(page, 'documentElement', document)?.dataset.config?.includes('"botCheck"') ? location.origin : undefined,
    isWritten,
  }
}

/** Runs in a tab of the server, like `actInPage`. `false` while the tab shows something else, e.g. because it still loads. */
export function openWithToken(origin: string, key: string, token: string): boolean {
  if (location.origin !== origin) return false
  sessionStorage.setItem(key, token)
  location.replace('/')
  return true
}

/** What a press does: puts an address into the field, fills in the code, copies the code, or only shows the popup. */
type Act = 'put' | 'fill' | 'copy' | 'show'

type Known = {
  readonly hasCode: boolean
  /** The code's address was put into another site: its code goes into a field of this one only from the menu of that field. */
  readonly isForeign?: boolean | undefined
  readonly emails: readonly string[]
}

export function chooseAct({ focused, value, hasCodeField }: Pick<FrameReport, 'focused' | 'value' | 'hasCodeField'>, known: Known): Act {
  const wantsAddress = focused === 'address' && !known.emails.includes(value)
  if (known.hasCode && !(wantsAddress && value === '')) {
    return !known.isForeign && (hasCodeField || (focused === 'text' && value === '')) ? 'fill' : 'copy'
  }
  // A code belongs into this field, and none has come.
  if (focused === 'none' || focused === 'code' || known.emails.includes(value)) return 'show'
  // Somebody has typed it.
  return focused === 'text' && value.trim() !== '' ? 'show' : 'put'
}

/** The frame that a press is meant for, out of all frames of a tab that may be read: the top one is the first. */
export function chooseFrame<Report extends { frameId: number; result?: FrameReport }>(frames: readonly Report[], hasCode: boolean) {
  const top = frames.find(({ frameId }) => frameId === 0)
  const inner = frames.filter(({ frameId }) => frameId !== 0)
  if (hasCode && !top?.result?.hasCodeField) {
    const asking = inner.find(({ result }) => result?.hasCodeField)
    if (asking) return asking
  }
  return (top?.result?.isFocusDeeper ? inner.find(({ result }) => result && result.focused !== 'none') : undefined) ?? top ?? frames[0]
}

/** The origin of a page's site, also of a `blob:` page that the site made. Empty for a page of no site, such as a file. */
export const siteOf = (url = ''): string => (URL.canParse(url) ? new URL(url).origin.replace(/^null$/, '') : '')

/** The name by which a person knows a site. */
export const hostOf = (site: string): string => site.replace(/.*\//, '')

/** Whether a code for an address that was made on `usedOn` is not for a page of `site`. Pages of no site are strangers to each other. */
export const isForeignTo = (usedOn: string | undefined, site: string): boolean => site === '' || usedOn !== site
