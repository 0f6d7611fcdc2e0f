import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button, CopyButton } from '#web/components/ui/button.tsx'
import { Dialog } from '#web/components/ui/dialog.tsx'
import { QrDrawing } from '#web/components/ui/qr-drawing.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { handOffUrl } from '#web/lib/mailbox/hand-off.ts'

/** Opens this inbox on another device, by link or QR code. The code is drawn in the browser, so that the token is sent to nobody. */
export function HandOffDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const { qr } = useTexts('mailboxDialogs')
  const url = handOffUrl(token, location.origin)
  // Who holds a phone has a link to send; only a computer has a phone beside it that scans.
  const isTouch = matchMedia('(pointer: coarse)').matches
  const secret = <p className="max-w-[40ch] text-balance text-muted text-sm">{qr.secret}</p>
  const code = <QrDrawing text={url} label={qr.alt} />
  return (
    <Dialog title={isTouch ? qr.otherTitle : qr.title} onClose={onClose}>
      <div className="flex flex-col items-center gap-5 px-5 pt-2 pb-6 sm:px-6 text-center">
        {isTouch ? (
          <>
            {secret}
            <SendLink url={url} />
            <p className="max-w-[36ch] text-balance">{qr.otherText}</p>
            {code}
          </>
        ) : (
          <>
            {code}
            <p className="max-w-[36ch] text-balance">{qr.text}</p>
            {secret}
            <CopyButton text={url}>{qr.copyLink}</CopyButton>
          </>
        )}
      </div>
    </Dialog>
  )
}

/** The browser's own share sheet where there is one. */
function SendLink({ url }: { url: string }) {
  const { qr } = useTexts('mailboxDialogs')
  if (typeof navigator.share !== 'function') {
    return (
      <CopyButton text={url} variant="primary" size="lg" className="w-full">
        {qr.copyLink}
      </CopyButton>
    )
  }
  // The visitor closed the share sheet, which is no error.
  const share = () => void navigator.share({ url }).catch(() => undefined)
  return (
    <div className="flex w-full flex-col gap-2">
      <Button variant="primary" size="lg" onClick={share}>
        {qr.share}
      </Button>
      <CopyButton text={url}>{qr.copyLink}</CopyButton>
    </div>
  )
}

type LinkQuestionProps = { here: string | undefined; linked: string; onAnswer: (isLinkChosen: boolean) => void }

/** A hand-off link was followed: asks whether to open its inbox, which its sender can read too. `here`: the live address. */
export function LinkQuestionDialog({ here, linked, onAnswer }: LinkQuestionProps) {
  const { linkQuestion } = useTexts('mailboxDialogs')
  return (
    <Dialog title={linkQuestion.title} onClose={() => onAnswer(false)}>
      <div className="flex flex-col gap-5 px-5 pt-1 pb-6 sm:px-6">
        <p>
          <NamesUnbroken text={linkQuestion.text({ here, linked })} />
        </p>
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
