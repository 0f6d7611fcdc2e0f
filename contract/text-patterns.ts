/** What text in a request may contain, besides its length. */

/** At most 64 characters before the @ (RFC 5321 section 4.5.3.1.1). */
export const EMAIL_LOCAL_PART = /^[^@]{1,64}@/

const CONTROLS = '\\u007f-\\u009f'
/** No control characters, no line breaks. The browser's messages need no word for what these two patterns exclude: nobody types it. */
export const ONE_LINE = new RegExp(`^[^\\u0000-\\u001f${CONTROLS}\\u2028\\u2029]*$`)
/** As above, but with tabs and line breaks. */
export const MULTIPLE_LINES = new RegExp(`^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f${CONTROLS}]*$`)
