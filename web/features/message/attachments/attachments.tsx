import { useState } from 'react'
import type { Attachment, Message } from '#contract/mailbox.ts'
import { Button } from '#web/components/ui/button.tsx'
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
} from '#web/components/ui/lazy-icons.tsx'
import { createAttachmentLink, readAttachment } from '#web/lib/api/message-api.ts'
import { openDownload, saveBytes } from '#web/lib/browser/save-file.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { showToast } from '#web/lib/notify/toasts.ts'
import { imageDataUrl } from '../images/image-type.ts'
import { type Picture, PicturePreview } from '../preview/picture-preview.tsx'
import { isPictureShown, previewKind } from '../preview/preview-kind.ts'
import { type AttachmentKind, attachmentKind, formatSize } from './attachment-kind.ts'

const ICONS: Record<AttachmentKind, IconType> = {
  image: FileImage,
  video: FileVideo,
  pdf: FileType,
  spreadsheet: FileSpreadsheet,
  archive: FileArchive,
  text: FileText,
  other: File,
}

type Props = { token: string; message: Pick<Message, 'id' | 'subject' | 'attachments'> }

/** The attachments of a message, including inline parts: type, name, size. A click downloads one; the eye icon previews images and PDFs. */
export function Attachments({ token, message: { id, subject, attachments } }: Props) {
  const texts = useTexts('message')
  const { isBusy, run } = useDownload()
  const [picture, setPicture] = useState<Picture>()
  if (attachments.length === 0) return null
  const name = `${subject.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 60) || 'attachments'}.zip`
  const downloadAll = () =>
    run(name, async () => {
      const { zip } = await import('./zip.ts')
      const files = attachments.map(async ({ index, filename }) => ({ name: filename, bytes: await readAttachment(token, id, index) }))
      saveBytes(zip(await Promise.all(files)), name, 'application/zip')
    })
  return (
    <>
      <section
        aria-label={texts.attachments({ count: attachments.length })}
        className="flex flex-wrap items-center gap-2 px-5 pb-4 sm:px-6"
        data-print="never"
      >
        <ul className="contents">
          {attachments.map(attachment => (
            <Chip key={attachment.index} token={token} messageId={id} attachment={attachment} onPicture={setPicture} />
          ))}
        </ul>
        {attachments.length > 1 && (
          <Button disabled={isBusy} onClick={downloadAll} className="self-stretch px-3 text-sm">
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

type ChipProps = { token: string; messageId: string; attachment: Attachment; onPicture: (picture: Picture) => void }

function Chip({ token, messageId, attachment, onPicture }: ChipProps) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { isBusy, run } = useDownload()
  const kind = attachmentKind(attachment.contentType)
  const Icon = ICONS[kind]
  const { filename } = attachment
  const download = () => run(filename, async () => openDownload(await createAttachmentLink(token, messageId, attachment.index)))

  return (
    <li className="flex max-w-full rounded-md border border-edge transition-colors duration-150 ease-out hover:border-ink max-sm:w-full sm:max-w-80">
      <button
        type="button"
        title={`${filename}${attachment.inline ? ` (${texts.embedded})` : ''}`}
        disabled={isBusy}
        onClick={download}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2.5 rounded-md px-3 py-1 text-left hover:bg-sunken disabled:opacity-55"
      >
        <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" strokeWidth={1.5} data-kind={kind} />
        <span className="min-w-0 leading-tight">
          <span className="sr-only">{texts.download} </span>
          <bdi className="block truncate text-sm">{filename}</bdi>
          <span className="figures block text-muted text-sm">
            {texts.kind[kind]} · {formatSize(attachment.size, language)}
          </span>
        </span>
      </button>
      <PreviewButton token={token} messageId={messageId} attachment={attachment} onPicture={onPicture} />
    </li>
  )
}

/** Checks that the bytes are of the claimed type before they are shown. */
function PreviewButton({ token, messageId, attachment, onPicture }: ChipProps) {
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
      if (kind === 'pdf') return openDownload(`${await createAttachmentLink(token, messageId, index)}?view=1`)
      const bytes = new Uint8Array(await readAttachment(token, messageId, index))
      const dataUrl = isPictureShown(bytes) ? await imageDataUrl(bytes) : undefined
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
      className="grid min-h-11 w-11 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink disabled:opacity-55"
    >
      <Eye aria-hidden="true" className="size-5" strokeWidth={1.5} />
    </button>
  )
}
