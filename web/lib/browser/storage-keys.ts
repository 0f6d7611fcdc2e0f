/** Keys of local storage that several parts of the site use. */
export const ACCOUNT_KEY = 'mayfly.account'
export const SESSION_KEY = 'mayfly.mailbox'
export const OTHER_SESSION_KEY = 'mayfly.mailbox.other'
/** In the storage of the tab: the token of a hand-off link that has not been opened yet. */
export const LINK_TOKEN_KEY = 'mayfly.hand-off'
