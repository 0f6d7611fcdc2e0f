import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { Dialog } from '#web/components/ui/dialog.tsx'
import { QrDrawing } from '#web/components/ui/qr-drawing.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { handOffUrl } from '#web/lib/mailbox/hand-off.ts'

/** A QR code that opens this inbox on a phone. Drawn in the browser, so that the token is sent to nobody. */
export default function HandOffDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const { qr } = useTexts('mailboxDialogs')
  const url = handOffUrl(token, location.origin)
  // On a phone the link comes first: there is no second screen to scan.
  const canShare = matchMedia('(pointer: coarse)').matches && typeof navigator.share === 'function'
  // The visitor closed the share sheet, which is no error.
  const share = () => void navigator.share({ url }).catch(() => undefined)
  return (
    <Dialog title={canShare ? qr.shareTitle : qr.title} onClose={onClose}>
      <div className="flex flex-col items-center gap-5 px-5 pt-2 pb-6 sm:px-6 text-center">
        {canShare && (
          <Button variant="primary" size="lg" className="w-full" onClick={share}>
            {qr.share}
          </Button>
        )}
        <QrDrawing text={url} label={qr.alt} />
        <p className="max-w-[36ch]">{qr.text}</p>
        <p className="max-w-[40ch] text-muted text-sm">{qr.secret}</p>
        <CopyButton text={url}>{qr.copyLink}</CopyButton>
      </div>
    </Dialog>
  )
}
