import { useState } from 'react'
import type { Attachment } from '#contract/mailbox.ts'
import { IconButton } from '#web/components/ui/icon-button.tsx'
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
import { createAttachmentLink } from '#web/lib/api/mailbox-api.ts'
import { openDownload } from '#web/lib/browser/save-file.ts'
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

type Props = { token: string; messageId: string; attachments: readonly Attachment[] }

/** What the mail carries, inline parts too: type, name, size, and a download that never opens in our origin. */
export function Attachments({ token, messageId, attachments }: Props) {
  const texts = useTexts('message')
  if (attachments.length === 0) return null
  return (
    <section
      aria-label={texts.attachments({ count: attachments.length })}
      className="border-line border-t px-5 py-4 sm:px-6"
      data-print="never"
    >
      <h3 className="font-medium text-muted text-sm">{texts.attachments({ count: attachments.length })}</h3>
      <ul className="mt-1 divide-y divide-line">
        {attachments.map(attachment => (
          <Row key={attachment.index} token={token} messageId={messageId} attachment={attachment} />
        ))}
      </ul>
    </section>
  )
}

function Row({ token, messageId, attachment }: { token: string; messageId: string; attachment: Attachment }) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const [isBusy, setBusy] = useState(false)
  const kind = attachmentKind(attachment.contentType)
  const Icon = ICONS[kind]

  async function download() {
    setBusy(true)
    try {
      openDownload(await createAttachmentLink(token, messageId, attachment.index))
      showToast({ title: texts.downloadStarted, description: texts.downloading({ filename: attachment.filename }) })
    } catch (error) {
      console.warn(error)
      showToast({ variant: 'destructive', title: texts.downloadFailed, description: texts.downloadFailedText })
    } finally {
      setBusy(false)
    }
  }

  return (
    <li className="flex items-center gap-3 py-1.5">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" strokeWidth={1.5} data-kind={kind} />
      <span className="min-w-0 flex-1">
        <span className="block truncate" title={attachment.filename}>
          <bdi>{attachment.filename}</bdi>
        </span>
        <span className="figures block text-muted text-sm">
          {texts.kind[kind]} · {formatSize(attachment.size, language)}
          {attachment.inline && ` · ${texts.embedded}`}
        </span>
      </span>
      <IconButton label={texts.downloadThis({ filename: attachment.filename })} disabled={isBusy} onClick={download}>
        <Download aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
    </li>
  )
}
