/**
 * A mail of the labelled set: what a reader sees, and what they are asked to do with it. Every company, address and number is
 * invented. The mails were written without reading the program that they measure; add new ones in the same way.
 */
export interface LabelledMail {
  /** What is special about the mail; unique in its language. */
  name: string
  subject: string
  text?: string
  html?: string
  /**
   * What the reader has to enter on a page or in an app, as that form expects it: digits of any script as ASCII digits, without
   * the gaps or hyphens that only group digits, and with the hyphens of codes that contain letters. Temporary passwords count.
   * Null if nothing is to be entered: voucher and referral codes, tracking numbers, card PINs, expired codes and codes sent by
   * other means do not count.
   */
  code: string | null
  /**
   * The decoded address of the link that confirms an address, activates an account, resets a password or signs the reader in.
   * Null if there is none; links that unsubscribe, secure an account, track a parcel or show an invoice do not count.
   */
  link: string | null
  /** The code is a temporary password, counted apart: some services want it typed like a code, others in a field of its own. */
  kind?: 'password'
}
