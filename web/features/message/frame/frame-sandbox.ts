/**
 * Sandbox of a mail's frame: no scripts, no forms, no navigation. `allow-same-origin` lets our page write nodes into it and measure it;
 * without `allow-scripts` it gives the mail nothing. `allow-modals` is for our own call of its print dialog.
 */
export const SANDBOX = 'allow-same-origin allow-modals allow-popups allow-popups-to-escape-sandbox'
