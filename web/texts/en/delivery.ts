/** What the SMTP server does for the address right now; fetched when a server connects. */
export const delivery = {
  connected: (p: { server: string; encrypted: boolean }) =>
    p.encrypted ? `${p.server} is here with mail for you, encrypted.` : `${p.server} is here with mail for you, not encrypted.`,
  receiving: (p: { server: string; size: string }) => `Receiving ${p.size || 'mail'} from ${p.server}…`,
  disconnected: (p: { server: string }) => `The connection to ${p.server} broke off. Most servers try again in a few minutes.`,
  refused: {
    too_large: (p: { server: string }) => `Refused: the mail from ${p.server} is too large.`,
    mailbox_full: () => 'Refused: this inbox is full. Delete a message to make room.',
    ended: () => 'Refused: this address has just ended.',
    busy: (p: { server: string }) => `${p.server} was asked to try again in a few minutes.`,
    rejected: (p: { server: string }) => `Refused: the mail from ${p.server} could not be taken.`,
  },
}

export type DeliveryTexts = typeof delivery
