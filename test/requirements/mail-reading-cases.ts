/** What must hold when hostile HTML mail is shown, numbered as in docs/mail-reading.md. */
import type { Statement } from './statements.ts'

export const mailReadingCases: readonly Statement[] = [
  { id: 'X01', text: 'No script runs.' },
  { id: 'X02', text: 'Nothing becomes active by being parsed again.' },
  { id: 'X03', text: 'Steps after sanitising work on DOM nodes, not on text.' },
  { id: 'X04', text: 'Nothing is loaded before the reader asks, in any of 112 ways.' },
  { id: 'X05', text: 'After that only images are loaded, without a referrer and for this mail only.' },
  {
    id: 'X06',
    text: "The server fetches nothing that a mail names, and the browser nothing from the reader's own network.",
  },
  { id: 'X07', text: 'A mail cannot cover anything outside its frame, and hidden content can be read as text.' },
  { id: 'X08', text: 'CSS reveals nothing: it loads nothing, and the frame contains nothing of the page.' },
  { id: 'X09', text: 'Names and ids overwrite nothing, because the mail is in its own document.' },
  { id: 'X10', text: 'Forms have no fields and no buttons, and send nothing.' },
  { id: 'X11', text: 'Nothing moves the page. Links open in a new tab without opener and referrer.' },
  { id: 'X12', text: "Links have only safe schemes and show their true target. Deceptive links and sender's names are marked." },
  { id: 'X13', text: 'Unclosed markup captures nothing that follows.' },
  { id: 'X14', text: 'SVG and MathML are removed.' },
  { id: 'X15', text: "Of conditional comments Outlook's branch is hidden and the other shown, without a request." },
  { id: 'X16', text: 'Markup is text in every field.' },
  { id: 'X17', text: 'Hidden words are in the text view.' },
  { id: 'X18', text: 'Ordinary newsletters look as designed.' },
  { id: 'X19', text: 'The height of the frame settles within its limit.' },
  { id: 'X20', text: 'A mail does not take the focus, its text can be selected, and it can be printed.' },
]
