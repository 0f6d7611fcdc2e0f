/** What the visitor chose for the open mail. It holds for both views, until another mail is opened. */
import { useState } from 'react'
import type { Message } from '#contract/mailbox.ts'
import type { ThemeChoice } from '../frame/frame-theme.ts'
import { areSendersPicturesWanted } from '../images/picture-senders.ts'

type Chosen = {
  readonly areImagesAllowed: boolean
  /** Pictures are always shown for this sender. */
  readonly isSenderWanted: boolean
  /** All of a very long mail is shown, not only its beginning. */
  readonly isWhole: boolean
  readonly theme: ThemeChoice
}

export type MailChoices = Chosen & { readonly choose: (change: Partial<Chosen>) => void }

export function useMailChoices(token: string, message: Message): MailChoices {
  const [chosen, setChosen] = useState<Chosen>(() => {
    const isSenderWanted = areSendersPicturesWanted(token, message)
    return { areImagesAllowed: isSenderWanted, isSenderWanted, isWhole: false, theme: 'auto' }
  })
  return { ...chosen, choose: change => setChosen(before => ({ ...before, ...change })) }
}
