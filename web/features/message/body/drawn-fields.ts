/** What a field without a value would show, by its type. */
const LABELS: Readonly<Record<string, string>> = { submit: 'Submit', reset: 'Reset', image: 'Submit', file: '…' }
const BUTTON_TYPES = new Set(['submit', 'reset', 'button', 'image', 'file'])
/** Drawn without words. */
const WORDLESS_TYPES = new Set(['checkbox', 'radio', 'range', 'color'])
/** More than fits into any field on a screen. */
const VALUE_CHARS_MAX = 2000

/**
 * Buttons and fields of forms that look like ones and can do nothing: each is replaced by words in a box (frame-document.ts). Works
 * on sanitised nodes of a document without a window.
 */
export function drawFields(body: HTMLElement): void {
  for (const field of Array.from(body.querySelectorAll<HTMLElement>('button, input, textarea, select'))) {
    const box = drawn(field)
    if (box) field.replaceWith(box)
    else field.remove()
  }
  // List items outside a list, which the browser shows as words.
  for (const option of Array.from(body.querySelectorAll('option, optgroup'))) option.replaceWith(...Array.from(option.childNodes))
}

function drawn(field: HTMLElement): HTMLElement | undefined {
  const tag = field.localName
  const type = (field.getAttribute('type') ?? 'text').toLowerCase()
  if (tag === 'button') return fieldBox(field, 'data-button', Array.from(field.childNodes))
  if (tag === 'textarea') return fieldBox(field, 'data-field', [valueOrHint(field, field.textContent ?? '')], 'area')
  if (tag === 'select') return fieldBox(field, 'data-field', optionLines(field), isList(field) ? 'list' : 'choice')
  if (type === 'hidden') return undefined
  const value = (field.getAttribute('value') ?? '').slice(0, VALUE_CHARS_MAX)
  if (BUTTON_TYPES.has(type)) return fieldBox(field, 'data-button', [value || field.getAttribute('alt') || LABELS[type] || ''])
  if (WORDLESS_TYPES.has(type)) return fieldBox(field, 'data-field', [], type)
  return fieldBox(field, 'data-field', [valueOrHint(field, type === 'password' ? value.replace(/./gsu, '•') : value)], 'text')
}

/** A box with the attributes of the field, so that the mail's rules for its class and id still apply. */
function fieldBox(field: HTMLElement, name: 'data-button' | 'data-field', content: readonly (Node | string)[], kind = ''): HTMLElement {
  const box = field.ownerDocument.createElement('span')
  for (const attribute of field.getAttributeNames()) box.setAttribute(attribute, field.getAttribute(attribute) ?? '')
  box.setAttribute(name, kind)
  box.append(...content)
  return box
}

function valueOrHint(field: HTMLElement, value: string): Node | string {
  if (value !== '') return value.slice(0, VALUE_CHARS_MAX)
  const hint = field.ownerDocument.createElement('span')
  hint.setAttribute('data-hint', '')
  hint.textContent = (field.getAttribute('placeholder') ?? '').slice(0, VALUE_CHARS_MAX)
  return hint
}

function isList(select: HTMLElement): boolean {
  return select.hasAttribute('multiple') || Number(select.getAttribute('size')) > 1
}

/** All choices can be read, since nobody can open the list. */
function optionLines(select: HTMLElement): HTMLElement[] {
  return Array.from(select.querySelectorAll('option'), option => {
    const line = select.ownerDocument.createElement('span')
    line.textContent = `${option.getAttribute('label') || (option.textContent ?? '').trim()} `
    return line
  })
}
