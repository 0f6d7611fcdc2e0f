/** When the page changes what it shows of an address, and how often it asks for mail. */

/** Seconds left when the countdown changes to its warning state. */
export const WARNING_SECONDS = 30
/** How long the page shows that the address is being destroyed. */
export const DESTROYING_MS = 2000
/** How often the page fetches the inbox again, in case the event stream missed something. */
export const POLL_MS = 60_000
