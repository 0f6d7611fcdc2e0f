import { clsx } from 'clsx'
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { Message } from '#contract/mailbox.ts'
import { senderWarning } from '#contract/sender-warning.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { ImageOff } from '#web/components/ui/lazy-icons.ts'
import { readAttachment } from '#web/lib/api/message-routes.ts'
import { send } from '#web/lib/api/request.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { noteBlockedTrackers } from '#web/lib/mailbox/blocked-trackers.ts'
import { firstPart } from './body-forms.ts'
import { isNight } from './frame-theme.ts'
import type { JudgedPictures } from './held-pictures.ts'
import { imageDataUrl } from './image-type.ts'
import { canTrustSender, type MailChoices, wantSendersPictures } from './mail-choices.ts'
import { MailFrame } from './mail-frame.tsx'
import type { EmbeddedImage } from './mail-images.ts'
import { type CleanMail, type MailView, sanitizeMail } from './sanitize.ts'

type Props = {
  token: string
  message: Message
  html: string
  view: MailView
  choices: MailChoices
  onShrunk: (isShrunk: boolean) => void
  onSource: () => void
  /** Links that are not what they seem, for the warnings above the views. */
  onFlagged: (links: CleanMail['flaggedLinks']) => void
  /** The attachments that are pictures of the mail, and too large to draw or not read. */
  onUnshown: (indexes: readonly number[]) => void
}

/** An HTML mail in one of its two views, below a note on what was blocked. */
export default function HtmlView({ token, message, html, view, choices, onShrunk, onSource, onFlagged, onUnshown }: Props) {
  const texts = useTexts('message')
  const { isSenderWanted, areImagesAllowed, isWhole, isZoomed, theme, choose } = choices
  const [{ trackers, unused }, setPictures] = useState<JudgedPictures>({ trackers: 0, unused: 0 })
  const [target, setTarget] = useState<string>()
  const [isOnWhite, setIsOnWhite] = useState(false)
  const shown = useMemo(() => (isWhole ? html : firstPart(html)), [html, isWhole])
  const isContradicted = message.verdict === 'contradicted'
  const warning = senderWarning(message.from)
  const claimsBrand = warning !== undefined && 'brand' in warning
  // A verdict that comes while the mail is open is no reason to write the mail again.
  const { attachments } = message
  const ownPictures = useMemo(
    () => new Map(attachments.flatMap(({ index, references = [] }) => references.map(name => [name, index]))),
    [attachments],
  )
  const mail = useMemo(
    () => sanitizeMail(shown, { view, areImagesAllowed, isContradicted, claimsBrand, ownPictures }),
    [shown, view, areImagesAllowed, isContradicted, claimsBrand, ownPictures],
  )
  useEmbeddedImages(token, message.id, mail, onUnshown)
  useLayoutEffect(() => {
    onFlagged(mail.flaggedLinks)
    return () => onFlagged([])
  }, [mail, onFlagged])
  const { images, pixels } = mail.remote
  useEffect(() => noteBlockedTrackers(message.id, pixels), [message.id, pixels])
  const toggleSender = () => {
    wantSendersPictures(token, message, !isSenderWanted)
    choose({ isSenderWanted: !isSenderWanted })
  }

  return (
    <div>
      {view === 'layout' && images + pixels > 0 && (
        <Line>
          <ImageOff aria-hidden="true" className="size-4.5 shrink-0 text-muted max-sm:hidden" strokeWidth={1.75} />
          {/* On a phone what it costs has a line of its own, below the state and the button. */}
          <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
            <p data-testid="blocked">
              {areImagesAllowed
                ? shownText(texts, images - trackers - unused, pixels + trackers)
                : texts.blockedState({ count: texts.blocked({ images, pixels }) })}
            </p>
            {!areImagesAllowed && images > 0 && <p className="row-start-2 text-muted max-sm:col-span-2">{texts.showImagesCost}</p>}
            {!areImagesAllowed && images > 0 && (
              <LineButton className="sm:row-span-2" onClick={() => choose({ areImagesAllowed: true })}>
                {texts.showImages}
              </LineButton>
            )}
            {areImagesAllowed && images > 0 && canTrustSender(message) && (
              <LineButton onClick={toggleSender}>{isSenderWanted ? texts.askAgain : texts.alwaysShow}</LineButton>
            )}
          </div>
        </Line>
      )}
      {view === 'layout' && mail.heavyStyles !== 'none' && (
        <Line>
          <p className="min-w-0 flex-1 text-muted" data-testid="heavy-styles">
            {texts.heavyStyles[mail.heavyStyles]}
          </p>
          <LineButton onClick={onSource}>{texts.views.raw}</LineButton>
        </Line>
      )}
      {view === 'layout' && mail.hasDarkMode && mail.hasColors && isNight() && (
        <Line>
          <span className="min-w-0 flex-1 text-muted">{isOnWhite ? texts.shownLight : texts.shownDark}</span>
          <LineButton onClick={() => choose({ theme: isOnWhite ? 'dark' : 'light' })}>
            {isOnWhite ? texts.showDark : texts.showLight}
          </LineButton>
        </Line>
      )}
      {mail.hasForm && (
        <Line isPrinted>
          <span data-testid="form-off">{texts.formOff}</span>
        </Line>
      )}
      {mail.shows !== 'content' && <p className="px-5 py-6 text-muted sm:px-6">{texts.empty}</p>}
      {mail.shows !== 'nothing' && (
        <MailFrame
          mail={mail}
          view={view}
          areImagesAllowed={areImagesAllowed && view === 'layout'}
          isPart={shown.length < html.length}
          theme={theme}
          isZoomed={isZoomed && view === 'layout'}
          onShrunk={onShrunk}
          onBackground={setIsOnWhite}
          onPictures={setPictures}
          onTarget={setTarget}
        />
      )}
      {shown.length < html.length && (
        <Line isPrinted>
          <span className="min-w-0 flex-1 text-muted">{texts.longMessage}</span>
          <LineButton onClick={() => choose({ isWhole: true })}>{texts.showWhole}</LineButton>
        </Line>
      )}
      {target !== undefined && (
        <p
          data-print="never"
          className="sticky bottom-0 border-line border-t bg-raised px-5 py-1.5 font-mono text-muted text-sm"
          data-testid="target"
        >
          <NamesUnbroken text={texts.target({ url: shortTarget(target) })} />
        </p>
      )}
    </div>
  )
}

const TARGET_PATH_CHARS_MAX = 160

/** The whole host, and as much of the path as does not cover the mail. */
function shortTarget(url: string): string {
  const [, origin = url, path = ''] = /^(https?:\/\/[^/?#]*)(.*)$/s.exec(url) ?? []
  return path.length > TARGET_PATH_CHARS_MAX ? `${origin}${path.slice(0, TARGET_PATH_CHARS_MAX)}…` : url
}

function shownText(texts: ReturnType<typeof useTexts<'message'>>, images: number, pixels: number): string {
  const parts = [images > 0 && texts.imagesShown({ images }), pixels > 0 && texts.pixelsStay({ pixels })].filter(Boolean)
  return parts.join(' ') || texts.noneShown
}

function Line({ children, isPrinted = false }: { children: React.ReactNode; isPrinted?: boolean }) {
  return (
    <div
      className="flex items-center gap-3 border-line border-b bg-sunken px-5 py-1.5 text-sm sm:px-6 sm:py-2"
      data-print={isPrinted ? undefined : 'never'}
    >
      {children}
    </div>
  )
}

function LineButton({ children, onClick, className }: { children: React.ReactNode; onClick: () => void; className?: string }) {
  return (
    <Button variant="secondary" className={clsx('shrink-0 max-sm:px-3 max-sm:text-sm', className)} onClick={onClick}>
      {children}
    </Button>
  )
}

/** Loads images that the mail itself contains, from our own API. */
function useEmbeddedImages(token: string, id: string, mail: CleanMail, onUnshown: Props['onUnshown']): void {
  useEffect(() => {
    const unmounted = new AbortController()
    const urls = new Map<number, Promise<string | undefined>>()
    const read = (index: number) => {
      const url =
        urls.get(index) ??
        send(readAttachment, { token, params: { id, index }, signal: unmounted.signal })
          .then(response => response.arrayBuffer())
          .then(bytes => imageDataUrl(new Uint8Array(bytes)))
      urls.set(index, url)
      return url
    }
    const warn = (error: unknown) => void (unmounted.signal.aborted || console.warn(error))
    const unshown = new Set<number>()
    const show = async ({ image, variable, index }: EmbeddedImage) => {
      const url = await read(index).catch(warn)
      if (unmounted.signal.aborted) return ''
      if (url === undefined) {
        unshown.add(index)
        onUnshown([...unshown])
        return ''
      }
      image?.setAttribute('src', url)
      return `${variable}: url("${url}");\n`
    }
    const [images, backgrounds] = [mail.embedded.filter(({ image }) => image), mail.embedded.filter(({ image }) => !image)]
    for (const image of images) void show(image)
    // Each change of the sheet styles the whole mail again, with each picture in it.
    void Promise.all(backgrounds.map(show)).then(values => {
      if (!unmounted.signal.aborted && values.some(Boolean)) mail.imageStyle.textContent = `:root { ${values.join('')} }`
    })
    return () => {
      unmounted.abort()
      onUnshown([])
    }
  }, [token, id, mail, onUnshown])
}
