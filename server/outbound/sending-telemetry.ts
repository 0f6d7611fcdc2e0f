/** What is sent to servers outside. */
export const SENDING_CHANNELS = ['mail', 'webhook', 'push'] as const
export type SendingChannel = (typeof SENDING_CHANNELS)[number]

export type SendingTelemetry = {
  /** A server outside did not take something, which is sent again later. */
  sendingRetried(channel: SendingChannel): void
}
