import { Button } from '#web/components/ui/button.tsx'
import { Dialog } from '#web/components/ui/dialog.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

type Props = { here: string | undefined; linked: string; onAnswer: (isLinkChosen: boolean) => void }

/** A hand-off link was followed: asks whether to open its inbox, which its sender can read too. `here`: the live address. */
export default function LinkQuestionDialog({ here, linked, onAnswer }: Props) {
  const { linkQuestion } = useTexts('mailboxDialogs')
  return (
    <Dialog title={linkQuestion.title} onClose={() => onAnswer(false)}>
      <div className="flex flex-col gap-5 px-5 pt-1 pb-6 sm:px-6">
        <p className="[overflow-wrap:anywhere]">{linkQuestion.text({ here, linked })}</p>
        <p>{linkQuestion.sender}</p>
        <div className="flex flex-wrap gap-3 max-sm:flex-col">
          <Button variant="primary" onClick={() => onAnswer(false)}>
            {here === undefined ? linkQuestion.own : linkQuestion.stay}
          </Button>
          <Button variant="secondary" onClick={() => onAnswer(true)}>
            {linkQuestion.openLink}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
