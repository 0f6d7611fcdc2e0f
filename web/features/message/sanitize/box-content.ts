/** Replaces forms and unknown elements by boxes. */

const getOwnerDocument = typeof Node === 'undefined' ? undefined : Object.getOwnPropertyDescriptor(Node.prototype, 'ownerDocument')?.get

const BOXED_ATTRIBUTES = ['style', 'class', 'id', 'dir', 'align']

/** An element of a template language or of one program, such as `<columns>` or `<o:p>`, that has a look. Browsers draw it as a span. */
export function isBoxed(node: Element, tag: string): boolean {
  const isUnknown = node instanceof HTMLUnknownElement || (node instanceof HTMLElement && tag.includes('-'))
  return isUnknown && BOXED_ATTRIBUTES.some(name => node.hasAttribute(name))
}

/**
 * A form or unknown element is taken out and what it holds stays: in a box that looks as the element did, cleaned like the mail's own.
 * Fields hide the properties of their form that have their name (`<input name=getAttribute>`), forms those of their document, so the
 * prototypes' own are called. The box belongs to the mail's document: in the page's, pictures would load at once.
 */
export function boxContent(element: Element, boxTag: 'div' | 'span'): void {
  const inert: Document = getOwnerDocument?.call(element)
  const box = Document.prototype.createElement.call(inert, boxTag)
  for (const name of BOXED_ATTRIBUTES) {
    const value = Element.prototype.getAttribute.call(element, name)
    if (value !== null) box.setAttribute(name, value)
  }
  const range = Document.prototype.createRange.call(inert)
  range.selectNodeContents(element)
  box.append(range.extractContents())
  Element.prototype.append.call(element, box)
}
