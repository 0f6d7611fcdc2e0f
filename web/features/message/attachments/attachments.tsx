import { useState } from 'react'
import type { Attachment, Message } from '#contract/mailbox.ts'
import { Button } from '#web/components/ui/button.tsx'
import {
  Download,
  File,
  FileArchive,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  FileVideo,
  type Icon as IconType,
} from '#web/components/ui/icons.tsx'
import { createAttachmentLink, readAttachment } from '#web/lib/api/mailbox-api.ts'
import { openDownload, saveBytes } from '#web/lib/browser/save-file.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { showToast } from '#web/lib/notify/toasts.ts'
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

/** What the mail carries, inline parts too, above its text: type, name, size. A press downloads; nothing opens in our origin. */
export function Attachments({ token, message: { id, subject, attachments } }: Props) {
  const texts = useTexts('message')
  const { isBusy, run } = useDownload()
  if (attachments.length === 0) return null
  const name = `${subject.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 60) || 'attachments'}.zip`
  const downloadAll = () =>
    run(name, async () => {
      const { zip } = await import('./zip.ts')
      const files = attachments.map(async ({ index, filename }) => ({ name: filename, bytes: await readAttachment(token, id, index) }))
      saveBytes(zip(await Promise.all(files)), name, 'application/zip')
    })
  return (
    <section
      aria-label={texts.attachments({ count: attachments.length })}
      className="flex flex-wrap items-center gap-2 px-5 pb-4 sm:px-6"
      data-print="never"
    >
      <ul className="contents">
        {attachments.map(attachment => (
          <Chip key={attachment.index} token={token} messageId={id} attachment={attachment} />
        ))}
      </ul>
      {attachments.length > 1 && (
        <Button variant="quiet" disabled={isBusy} onClick={downloadAll} className="px-3 text-river-ink text-sm">
          <Download aria-hidden="true" strokeWidth={1.75} />
          {texts.downloadAll}
        </Button>
      )}
    </section>
  )
}

/** Says that a download has begun, or that it failed. */
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

function Chip({ token, messageId, attachment }: { token: string; messageId: string; attachment: Attachment }) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { isBusy, run } = useDownload()
  const kind = attachmentKind(attachment.contentType)
  const Icon = ICONS[kind]
  const { filename } = attachment
  const download = () => run(filename, async () => openDownload(await createAttachmentLink(token, messageId, attachment.index)))

  return (
    <li className="max-w-full">
      <button
        type="button"
        aria-label={texts.downloadThis({ filename })}
        title={`${filename}${attachment.inline ? ` (${texts.embedded})` : ''}`}
        disabled={isBusy}
        onClick={download}
        className="flex min-h-11 max-w-full items-center gap-2.5 rounded-md border border-edge px-3 py-1 text-left transition-colors duration-150 ease-out hover:border-ink hover:bg-sunken disabled:opacity-55 sm:max-w-72"
      >
        <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" strokeWidth={1.5} data-kind={kind} />
        <span className="min-w-0 leading-tight">
          <bdi className="block truncate text-sm">{filename}</bdi>
          <span className="figures block text-muted text-sm">
            {texts.kind[kind]} · {formatSize(attachment.size, language)}
          </span>
        </span>
      </button>
    </li>
  )
}
