import { Button } from '#web/components/ui/button.tsx'
import { Dialog } from '#web/components/ui/dialog.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

type Props = { here: string; linked: string; onAnswer: (isLinkChosen: boolean) => void }

/** A hand-off link was opened while another address is live: asks which one to show. Both are kept either way. */
export default function LinkQuestionDialog({ here, linked, onAnswer }: Props) {
  const { linkQuestion } = useTexts('mailboxDialogs')
  return (
    <Dialog title={linkQuestion.title} onClose={() => onAnswer(false)}>
      <div className="flex flex-col gap-5 px-5 pt-1 pb-6 sm:px-6">
        <p className="[overflow-wrap:anywhere]">{linkQuestion.text({ here, linked })}</p>
        <div className="flex flex-wrap gap-3 max-sm:flex-col">
          <Button variant="primary" onClick={() => onAnswer(true)}>
            {linkQuestion.openLink}
          </Button>
          <Button variant="secondary" onClick={() => onAnswer(false)}>
            {linkQuestion.stay}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
