import { clsx } from 'clsx'
import { useRef, useState } from 'react'
import { MIB } from '#contract/limits.ts'
import type { Attachment, Message } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { Button, IconButton } from '#web/components/ui/button.tsx'
import type { Icon as IconType } from '#web/components/ui/icon.tsx'
import {
  Download,
  Eye,
  File,
  FileArchive,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  FileVideo,
  X,
} from '#web/components/ui/lazy-icons.ts'
import { createAttachmentLink, readAttachment } from '#web/lib/api/message-routes.ts'
import { request, send } from '#web/lib/api/request.ts'
import { openDownload, saveBytes } from '#web/lib/browser/save-file.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { isPicture, isReportPart, listedAttachments } from '#web/lib/mailbox/mail-facts.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { imageDataUrl } from './body/image-type.ts'

const ICONS: Record<AttachmentKind, IconType> = {
  image: FileImage,
  video: FileVideo,
  pdf: FileText,
  spreadsheet: FileSpreadsheet,
  archive: FileArchive,
  text: FileType,
  other: File,
}

/** More rows stand side by side where there is room, so that they do not push the mail away. */
const ONE_COLUMN_MAX = 4

type Props = {
  token: string
  message: Pick<Message, 'id' | 'subject' | 'attachments' | 'report'>
  /** The pictures in the mail that could not be shown there. */
  unshown: readonly number[]
  /** An invitation, which its own card shows and saves. */
  inCard?: Attachment | undefined
}

/** The attachments of a message: type, name, size. A click downloads one; the eye icon previews images and PDFs. */
export function Attachments({ token, message: { id, subject, attachments: all, report }, unshown, inCard }: Props) {
  const listed = new Set(listedAttachments(all))
  const isShown = (each: Attachment) => listed.has(each) || unshown.includes(each.index) || (isReportPart(each) && !report)
  const attachments = all.filter(each => each !== inCard && isShown(each))
  const texts = useTexts('message')
  const { isBusy, run } = useDownload()
  const [picture, setPicture] = useState<Picture>()
  if (attachments.length === 0) return null
  const name = `${subject.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 60) || 'attachments'}.zip`
  const downloadAll = () =>
    run(name, async () => {
      const { zip } = await import('./zip.ts')
      const files = attachments.map(async ({ index, filename }) => {
        const response = await send(readAttachment, { token, params: { id, index } })
        return { name: filename, bytes: await response.arrayBuffer() }
      })
      saveBytes(await zip(await Promise.all(files)), name, 'application/zip')
    })
  return (
    <>
      <section
        aria-label={texts.attachments({ count: attachments.length })}
        className="flex flex-col items-start px-5 pb-3 sm:px-6"
        data-print="never"
      >
        <ul className={clsx('grid w-full border-line border-t', attachments.length > ONE_COLUMN_MAX && 'gap-x-8 sm:grid-cols-2')}>
          {attachments.map(attachment => (
            <Row key={attachment.index} token={token} messageId={id} attachment={attachment} onPicture={setPicture} />
          ))}
        </ul>
        {attachments.length > 1 && (
          <Button variant="quiet" disabled={isBusy} onClick={downloadAll} className="-ml-2 mt-1 px-2! text-sm!">
            <Download aria-hidden="true" strokeWidth={1.75} />
            {texts.downloadAll}
          </Button>
        )}
      </section>
      {picture && <PicturePreview key={picture.dataUrl.length} picture={picture} onClose={() => setPicture(undefined)} />}
    </>
  )
}

/** Says that a download has started or failed. */
function useDownload() {
  const texts = useTexts('message')
  const [isBusy, setIsBusy] = useState(false)
  async function run(filename: string, download: () => Promise<void>) {
    setIsBusy(true)
    try {
      await download()
      showToast({ title: texts.downloadStarted, description: texts.downloading({ filename }) })
    } catch (error) {
      console.warn(error)
      showToast({ variant: 'destructive', title: texts.downloadFailed, description: texts.downloadFailedText })
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, run }
}

type RowProps = { token: string; messageId: string; attachment: Attachment; onPicture: (picture: Picture) => void }

function Row({ token, messageId, attachment, onPicture }: RowProps) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { isBusy, run } = useDownload()
  const kind = attachmentKind(attachment.contentType)
  const Icon = ICONS[kind]
  const { filename } = attachment
  const download = () => run(filename, async () => openDownload(await createLink(token, messageId, attachment.index)))

  return (
    <li className="relative flex min-w-0 flex-wrap items-center border-line border-b transition-colors duration-150 ease-out hover:bg-sunken">
      <button
        type="button"
        title={filename}
        disabled={isBusy}
        onClick={download}
        // The whole row downloads, but for its eye.
        className="flex min-h-13 min-w-[min(100%,11rem)] flex-1 items-center gap-3 rounded-md py-1 text-left before:absolute before:inset-0 focus-visible:-outline-offset-2 disabled:opacity-55"
      >
        <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" strokeWidth={1.5} data-kind={kind} />
        <span className="min-w-0 flex-1 leading-tight">
          <span className="sr-only">{texts.download} </span>
          <CutName name={filename} />
          <span className="figures block text-muted text-sm">
            {texts.kind[attachmentName(attachment.contentType)]} · {formatSize(attachment.size, language)}
            {canRun(attachment) && <span className="font-medium text-ember-ink"> · {texts.canRun}</span>}
          </span>
        </span>
      </button>
      {/* With large text below the name. */}
      <span className="ml-auto flex items-center">
        <PreviewButton token={token} messageId={messageId} attachment={attachment} onPicture={onPicture} />
        <Download aria-hidden="true" className="mx-3 size-4.5 text-muted" strokeWidth={1.75} />
      </span>
    </li>
  )
}

/** A URL that downloads this one attachment for 60 s and contains no token. */
async function createLink(token: string, id: string, index: number): Promise<string> {
  const { url } = await request(createAttachmentLink, { token, params: { id, index } })
  if (!url) throw new Error('No download URL received')
  return url
}

/** Checks that the bytes are of the claimed type before they are shown. */
function PreviewButton({ token, messageId, attachment, onPicture }: RowProps) {
  const texts = useTexts('message')
  const [isBusy, setIsBusy] = useState(false)
  const kind = previewKind(attachment)
  if (!kind) return null
  const { filename, index } = attachment
  async function preview() {
    setIsBusy(true)
    try {
      // In its own tab, whose policy allows only the browser's viewer (server/http/responses/download.ts), because no browser shows a PDF
      // in a sandboxed frame.
      if (kind === 'pdf') return openDownload(`${await createLink(token, messageId, index)}?view=1`)
      const response = await send(readAttachment, { token, params: { id: messageId, index } })
      const dataUrl = await imageDataUrl(new Uint8Array(await response.arrayBuffer()))
      if (dataUrl === undefined) showToast({ title: texts.noPreview, description: texts.noPreviewText })
      else onPicture({ filename, dataUrl })
    } catch (error) {
      console.warn(error)
      showToast({ variant: 'destructive', title: texts.noPreview, description: texts.downloadFailedText })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <button
      type="button"
      aria-label={texts[kind === 'pdf' ? 'openThis' : 'previewThis']({ filename })}
      title={texts[kind === 'pdf' ? 'openThis' : 'previewThis']({ filename })}
      disabled={isBusy}
      onClick={preview}
      className="relative grid min-h-11 w-11 place-items-center rounded-md text-muted hover:text-ink disabled:opacity-55"
    >
      <Eye aria-hidden="true" className="size-5" strokeWidth={1.5} />
    </button>
  )
}

/** What of a name is never cut: its ending says what it is, and what stands before it which of several. */
const NAME_END_CHARS = 11
/** So short a name has room on any screen. */
const SHORT_NAME_CHARS = 24

/** A name that is too long is cut in its middle. */
function CutName({ name }: { name: string }) {
  const letters = Array.from(name)
  if (letters.length <= SHORT_NAME_CHARS) return <bdi className="block truncate text-sm">{name}</bdi>
  return (
    <>
      <span className="sr-only">{name}</span>
      <bdi aria-hidden="true" className="flex text-sm">
        <span className="overflow-hidden text-ellipsis whitespace-pre">{letters.slice(0, -NAME_END_CHARS).join('')}</span>
        <span className="shrink-0 whitespace-pre">{letters.slice(-NAME_END_CHARS).join('')}</span>
      </bdi>
    </>
  )
}

/** Each kind has its own icon and name. */
type AttachmentKind = 'image' | 'video' | 'pdf' | 'spreadsheet' | 'archive' | 'text' | 'other'

const SPREADSHEET = /spreadsheet|ms-excel|\bcsv\b|tab-separated/
const ARCHIVE = /\b(?:x-)?(?:zip|7z|rar|tar|gtar|gzip|bzip2?|xz|zstd)\b|compressed|vnd\.rar/

/** By content type only, because the sender chooses the name. */
function attachmentKind(contentType: string): AttachmentKind {
  const type = contentType.toLowerCase()
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('video/')) return 'video'
  if (type === 'application/pdf') return 'pdf'
  if (SPREADSHEET.test(type)) return 'spreadsheet'
  if (ARCHIVE.test(type)) return 'archive'
  return type.startsWith('text/') ? 'text' : 'other'
}

/** Types that have a name of their own, but share the icon of their kind. The first that fits is the name. */
const NAMED_TYPES = [
  ['presentation', /presentation|powerpoint|keynote/],
  ['document', /wordprocessing|msword|ms-word|opendocument\.text|\/rtf|apple\.pages|epub/],
  ['audio', /^audio\//],
  ['event', /^text\/calendar|\/ics$/],
  ['contact', /vcard/],
  ['mail', /^message\/|ms-outlook/],
  ['web', /^text\/html|xhtml/],
] as const

function attachmentName(contentType: string) {
  const type = contentType.toLowerCase()
  return NAMED_TYPES.find(([, pattern]) => pattern.test(type))?.[0] ?? attachmentKind(type)
}

/** Endings of what Windows, macOS or Linux starts at a double click, and of documents with macros. */
const RUNS = new RegExp(
  `\\.(?:${[
    'exe com scr pif bat cmd msi msp msix msixbundle appx appxbundle appinstaller application cpl msc lnk url reg inf scf chm hlp gadget',
    'search-ms searchconnector-ms library-ms settingcontent-ms hta vbs? vbe jse? wsf wsh wsc sct ps1 psm1 py pyw pyz jar jnlp dll xll',
    'iso img vhdx? apk ipa app dmg pkg command sh run deb rpm appimage desktop one',
    'docm dotm xlsm xlsb xltm xlam xla pptm potm ppsm ppam',
  ]
    .join(' ')
    .replaceAll(' ', '|')})$`,
  'i',
)
const RUNS_TYPE =
  /x-(?:ms-?(?:download|dos-program|dos-executable|installer)|executable|sh(?:ellscript)?|java-archive|bat|python)\b|application\/(?:hta|javascript|bat)\b|portable-executable|android\.package/i

/** By either, since the one that is honest may be the other. A name may end in dots and spaces, which Windows drops. */
function canRun({ filename, contentType }: Pick<Attachment, 'filename' | 'contentType'>): boolean {
  return RUNS.test(filename.replace(/[.\s]+$/, '')) || RUNS_TYPE.test(contentType)
}

/** B under 1024, KB with 1 decimal, MB with 2. The decimal mark follows the language. */
export function formatSize(bytes: number, language: string): string {
  const show = (value: number, digits: number) =>
    new Intl.NumberFormat(language, { useGrouping: false, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
  if (bytes < 1024) return `${bytes} B`
  // Rounded before choosing the unit, so that a byte less than a megabyte is not "1,024.0 KB".
  if (Math.round((bytes / 1024) * 10) / 10 < 1024) return `${show(bytes / 1024, 1)} KB`
  return `${show(bytes / MIB, 2)} MB`
}

/** 15 MiB: enough for a phone's camera, and little enough for a phone's memory. */
const PREVIEW_BYTES_MAX = 15 * MIB

/** Decided by the declared type. The bytes are checked before anything is shown. */
function previewKind({ contentType, size }: Pick<Attachment, 'contentType' | 'size'>): 'picture' | 'pdf' | undefined {
  if (size > PREVIEW_BYTES_MAX) return undefined
  if (isPicture({ contentType })) return 'picture'
  return /^application\/(?:x-)?pdf$/i.test(contentType) ? 'pdf' : undefined
}

type Picture = { readonly filename: string; readonly dataUrl: string }

/** Without popups: a picture has no links. */
const SANDBOX = 'allow-same-origin'
const STYLE = 'html,body{height:100%;margin:0;color-scheme:light dark}img{display:block;width:100%;height:100%;object-fit:scale-down}'

/** An attached picture in its own frame, whose policy allows no scripts and no network (server/http/routes/deployment.ts). */
function PicturePreview({ picture: { filename, dataUrl }, onClose }: { picture: Picture; onClose: () => void }) {
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
