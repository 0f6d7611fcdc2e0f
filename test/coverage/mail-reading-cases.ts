/** What must hold when a stranger's HTML mail is shown, numbered as in docs/mail-reading.md. */
import type { Statement } from './statements.ts'

export const mailReadingCases: readonly Statement[] = [
  { id: 'X01', text: 'No script by any route.' },
  { id: 'X02', text: 'Nothing comes alive by a second parse: there is none.' },
  { id: 'X03', text: 'What is done after sanitising is done on nodes.' },
  { id: 'X04', text: 'No connection before the reader asks, by 112 ways to make one.' },
  { id: 'X05', text: 'After that, images and nothing else, without a referrer, for this mail only.' },
  {
    id: 'X06',
    text: "There is no proxy to be abused: the server fetches nothing a mail names, and the browser nothing from the reader's own network.",
  },
  { id: 'X07', text: 'A mail covers nothing of ours, and what hides itself can be read as text.' },
  { id: 'X08', text: 'CSS tells nobody anything: it loads nothing, and there is nothing of ours in the frame.' },
  { id: 'X09', text: 'Names and ids clobber nothing: the mail lives in another document.' },
  { id: 'X10', text: 'No fields, no buttons, nothing sent.' },
  { id: 'X11', text: 'Nothing moves the page; links open apart, without opener and referrer.' },
  { id: 'X12', text: "Only safe schemes; the true target is shown; what pretends is named, in links and in the sender's name." },
  { id: 'X13', text: 'What is left open captures nothing.' },
  { id: 'X14', text: 'No SVG, no MathML.' },
  { id: 'X15', text: "Conditional comments: Outlook's branch hidden, the other shown, no request." },
  { id: 'X16', text: 'Markup is text in every field.' },
  { id: 'X17', text: 'Hidden words stand in the text.' },
  { id: 'X18', text: 'Ordinary newsletters look as they were drawn.' },
  { id: 'X19', text: 'The frame comes to rest within its limit.' },
  { id: 'X20', text: 'No focus taken or kept; text can be selected; a mail can be printed.' },
]
