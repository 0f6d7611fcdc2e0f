/**
 * What a mail's frame may do: no scripts, no forms, no way to navigate us. `allow-same-origin` lets our page write nodes into it
 * and measure it; without `allow-scripts` it gives the mail nothing. `allow-modals` is for
 * our own call of its print dialog: without it the browser ignores the call.
 */
export const SANDBOX = 'allow-same-origin allow-modals allow-popups allow-popups-to-escape-sandbox'
