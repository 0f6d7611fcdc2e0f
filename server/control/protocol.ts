/** What commands and the running server say to each other: one line of JSON each way. */

/** In the data folder, for its owner alone; there while the server runs, and after a kill until the next start. */
export const CONTROL_FILE = 'control.json'

export type Endpoint = { readonly port: number; readonly key: string }
/** `copyMailTo`: an absolute path of a file that does not exist. Without it the server only says that it is there. */
export type ControlRequest = { readonly key: string; readonly copyMailTo?: string }
export type ControlReply = { readonly failure?: string }
