/** What the visitor chose for the open mail. It holds for both views, until another mail is opened. */
import { useState } from 'react'
import type { Message } from '#contract/mailbox.ts'
import { localStore, readStored, writeStored } from '#web/lib/browser/storage.ts'
import { hashText } from '#web/lib/hash-text.ts'
import { list, object, text } from '#web/lib/shape.ts'
import type { ThemeChoice } from './frame-theme.ts'

type Chosen = {
  readonly areImagesAllowed: boolean
  /** Pictures are always shown for this sender. */
  readonly isSenderWanted: boolean
  /** All of a very long mail is shown, not only its beginning. */
  readonly isWhole: boolean
  /** The original layout is drawn at its own width. */
  readonly isZoomed: boolean
  readonly theme: ThemeChoice
}

export type MailChoices = Chosen & { readonly choose: (change: Partial<Chosen>) => void }

export function useMailChoices(token: string, message: Message): MailChoices {
  const [chosen, setChosen] = useState<Chosen>(() => {
    const isSenderWanted = areSendersPicturesWanted(token, message)
    return { areImagesAllowed: isSenderWanted, isSenderWanted, isWhole: false, isZoomed: false, theme: 'auto' }
  })
  return { ...chosen, choose: change => setChosen(before => ({ ...before, ...change })) }
}

const KEY = 'mayfly.picture-senders'
const stored = object({ mailbox: text, senders: list(text) })
/** A mailbox has at most a hundred mails. */
const SENDERS_MAX = 100

type Sender = Pick<Message, 'from' | 'authentication' | 'verdict'>

/** Only for a sender with an address and without warnings. */
export function canTrustSender({ from, verdict }: Pick<Sender, 'from' | 'verdict'>): boolean {
  return from.address !== '' && verdict !== 'contradicted'
}

/**
 * Senders whose pictures are always shown, per mailbox. Stored as hashes salted with the mailbox's token, so that they reveal nothing once
 * the mailbox is gone. Opening another mailbox removes them.
 */
function areSendersPicturesWanted(token: string, sender: Sender): boolean {
  return canTrustSender(sender) && readSenders(token).includes(nameSender(token, sender))
}

export function wantSendersPictures(token: string, sender: Sender, isWanted: boolean): void {
  const name = nameSender(token, sender)
  const others = readSenders(token).filter(known => known !== name)
  const senders = isWanted ? [name, ...others].slice(0, SENDERS_MAX) : others
  if (senders.length > 0) writeStored(localStore, KEY, { mailbox: hashText(token), senders })
  else localStore.removeItem(KEY)
}

function readSenders(token: string): readonly string[] {
  const kept = readStored(localStore, KEY, stored)
  if (kept?.mailbox === hashText(token)) return kept.senders
  localStore.removeItem(KEY)
  return []
}

/** An address anybody can write into a From line is not the one whose domain was proved. */
function nameSender(token: string, { from, authentication }: Sender): string {
  return hashText([token, from.address.toLowerCase(), authentication?.domain ?? ''].join('\n'))
}
