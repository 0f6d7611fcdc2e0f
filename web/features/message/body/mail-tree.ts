/** The tree that a browser makes of a mail's HTML, before it is cleaned. */

const BOXED_ATTRIBUTES = ['style', 'class', 'id', 'dir', 'align']

/** An element of a template language or of one program, such as `<columns>` or `<o:p>`, that has a look. Browsers draw it as a span. */
function isLookOfUnknown(node: Node): boolean {
  const isUnknown = node instanceof HTMLUnknownElement || (node instanceof HTMLElement && node.localName.includes('-'))
  return isUnknown && BOXED_ATTRIBUTES.some(name => node.hasAttribute(name))
}

/**
 * Parses a mail and draws its forms as boxes, as well as unknown elements that have a look, cleaned later like the mail's own. Before
 * DOMPurify reads their properties: fields hide those that have their name (`<input name=attributes>`). As a copy, because a browser looks
 * through the whole document for each form that is taken out or moved: twenty kilobytes of them in each other took ten seconds.
 */
export function parseWithBoxes(html: string, areUnknownBoxed: boolean): Element {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const boxTag = (node: Node) => {
    if (node instanceof HTMLFormElement) return 'div'
    return areUnknownBoxed && isLookOfUnknown(node) ? 'span' : undefined
  }
  const elements: Element[] = Array.from(Document.prototype.getElementsByTagName.call(parsed, '*'))
  // It has no window, so no picture loads.
  const inert = document.implementation.createHTMLDocument('')
  const [root = inert.documentElement] = elements
  // Most mails have neither, and a copy costs a third of what they cost.
  if (!elements.some(boxTag) && !isDeep(elements)) return root
  const copyOf = (node: Node) => {
    const tag = boxTag(node)
    return tag ? boxOf(node as Element, inert, tag) : Document.prototype.importNode.call(inert, node, false)
  }
  const copied = inert.importNode(root, false)
  const waiting: Waiting[] = [{ source: root, copy: copied, depth: 0, formats: ' ' }]
  for (let parent = waiting.pop(); parent; parent = waiting.pop()) {
    const { source, depth } = parent
    const isKept = source === root || !isFlattened(parent)
    const before = lastChild(parent.copy)
    if (source instanceof Text && before instanceof Text) {
      before.appendData(source.data)
      continue
    }
    const copy = isKept && source !== root ? parent.copy.appendChild(copyOf(source)) : parent.copy
    if (!isKept && BOXES.has(source.nodeName) && before?.nodeName !== 'BR')
      copy.appendChild(Document.prototype.createElement.call(inert, 'br'))
    const formats = isKept ? formatsIn(parent) : parent.formats
    const next = isKept ? depth + 1 : depth
    for (let child = lastChild(source); child; child = previousSibling(child)) waiting.push({ source: child, copy, depth: next, formats })
  }
  return copied
}

/** `copy`: of what it stands in. `formats`: those without attributes that it stands in. */
type Waiting = { readonly source: Node; readonly copy: Node; readonly depth: number; readonly formats: string }

/** Deeper elements without a meaning of their own are left out, since what is asked of an element's ancestors costs its depth. */
const DEPTH_MAX = 100
const FORMATS = new Set(['B', 'I', 'U', 'STRONG', 'EM', 'S'])
const BOXES = new Set(['DIV', 'CENTER', 'SECTION'])
const MEANINGLESS = new Set([...FORMATS, ...BOXES, 'SPAN', 'FONT', 'SMALL', 'BIG'])

function isDeep(elements: readonly Element[]): boolean {
  const depths = new Map<Node | null, number>()
  return elements.some(element => {
    const depth = (depths.get(parentNode(element)) ?? 0) + 1
    depths.set(element, depth)
    return depth > DEPTH_MAX
  })
}

/** Attributes may undo what stands around them. */
function formatsIn({ source, formats }: Waiting): string {
  if (!(source instanceof Element)) return formats
  if (Element.prototype.hasAttributes.call(source)) return ' '
  return FORMATS.has(source.nodeName) ? `${formats}${source.nodeName} ` : formats
}

/** A bold text in a bold one is as bold. */
function isFlattened({ source, depth, formats }: Waiting): boolean {
  if (!(source instanceof Element)) return false
  const { nodeName } = source
  if (FORMATS.has(nodeName) && formats.includes(` ${nodeName} `)) return !Element.prototype.hasAttributes.call(source)
  return depth > DEPTH_MAX && MEANINGLESS.has(nodeName)
}

/** The prototypes' own are called: forms, and what they hold, hide the properties of their document (`<form name=createElement>`). */
function boxOf(element: Element, inert: Document, boxTag: 'div' | 'span'): HTMLElement {
  const box = Document.prototype.createElement.call(inert, boxTag)
  for (const name of BOXED_ATTRIBUTES) {
    const value = Element.prototype.getAttribute.call(element, name)
    if (value !== null) box.setAttribute(name, value)
  }
  return box
}

function getterOf(name: 'lastChild' | 'previousSibling' | 'parentNode'): (node: Node) => Node | null {
  const getter = typeof Node === 'undefined' ? undefined : Object.getOwnPropertyDescriptor(Node.prototype, name)?.get
  return node => getter?.call(node) ?? null
}

const lastChild = getterOf('lastChild')
const previousSibling = getterOf('previousSibling')
const parentNode = getterOf('parentNode')
