/** A link out of a mail that is offered as a button: in the colour of the links in its text. */
export const LINK_CHIP =
  'rounded-md border border-river font-medium text-river-ink transition-colors duration-150 ease-out hover:border-ink hover:bg-river-wash'
