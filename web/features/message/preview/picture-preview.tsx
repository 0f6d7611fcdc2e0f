import { useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import { IconButton } from '#web/components/ui/icon-button.tsx'
import { X } from '#web/components/ui/icons.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

export type Picture = { readonly filename: string; readonly dataUrl: string }

/** Without popups: a picture has no links. */
const SANDBOX = 'allow-same-origin'
const STYLE = 'html,body{height:100%;margin:0;color-scheme:light dark}img{display:block;width:100%;height:100%;object-fit:scale-down}'

/** An attached picture in its own frame, whose policy allows no scripts and no network (server/http/pages/mail-frame.ts). */
export function PicturePreview({ picture: { filename, dataUrl }, onClose }: { picture: Picture; onClose: () => void }) {
  const texts = useTexts('message')
  const frame = useRef<HTMLIFrameElement>(null)
  const [isBroken, setIsBroken] = useState(false)
  function write() {
    const inner = frame.current?.contentDocument
    if (!inner?.body) return
    const style = inner.createElement('style')
    style.textContent = STYLE
    inner.head.append(style)
    const image = inner.createElement('img')
    image.alt = filename
    image.addEventListener('error', () => setIsBroken(true))
    image.src = dataUrl
    inner.body.replaceChildren(image)
  }
  return (
    <figure className="mx-5 mb-4 rounded-md border border-line bg-sunken sm:mx-6" data-print="never" data-testid="preview">
      <figcaption className="flex items-center gap-2 border-line border-b py-0.5 pr-1 pl-3 text-sm">
        <bdi className="min-w-0 flex-1 truncate">{filename}</bdi>
        <IconButton label={texts.closePreview} onClick={onClose}>
          <X aria-hidden="true" strokeWidth={1.5} />
        </IconButton>
      </figcaption>
      {isBroken ? (
        <p className="px-3 py-6 text-muted">{texts.noPreviewText}</p>
      ) : (
        <iframe
          ref={frame}
          title={filename}
          src={routes.mailFrame}
          sandbox={SANDBOX}
          referrerPolicy="no-referrer"
          onLoad={write}
          className="block h-[min(60vh,32rem)] w-full border-0"
        />
      )}
    </figure>
  )
}
