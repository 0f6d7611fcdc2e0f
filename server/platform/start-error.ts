/** An error that stops the start, in words that the operator can act on. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StartError'
  }
}

/** `place`: the database that belongs to another secret. `instead`: how to start without its content. */
export function wrongSecretMessage(place: string, instead = 'move mail.db and site.db away'): string {
  return (
    `The secret does not fit ${place}, which was written under another one: every live address would be refused. ` +
    `Put the old one back, as the file "secret" of the data folder or in SECRET; processes that share a database share one secret. To start with nothing instead, ${instead}.`
  )
}
