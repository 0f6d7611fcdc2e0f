import { useEffect, useState } from 'react'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { readRaw } from '#web/lib/api/message-api.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { formatSize } from '../attachments/attachment-kind.ts'

/** Anything larger should be downloaded, because a page of 25 MiB of base64 helps nobody. */
const SHOWN_BYTES_MAX = 512 * 1024

/** The raw message as text. Bytes outside of ASCII are shown as windows-1252; the .eml file has them exactly. */
export function RawView({ token, id }: { token: string; id: string }) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const [raw, setRaw] = useState<{ text: string; bytes: number }>()
  const [isFailed, setIsFailed] = useState(false)
  useEffect(() => {
    const unmounted = new AbortController()
    readRaw(token, id, unmounted.signal).then(
      bytes => setRaw({ text: new TextDecoder('windows-1252').decode(bytes.slice(0, SHOWN_BYTES_MAX)), bytes: bytes.byteLength }),
      () => !unmounted.signal.aborted && setIsFailed(true),
    )
    return () => unmounted.abort()
  }, [token, id])
  if (isFailed) return <p className="px-5 py-6 sm:px-6">{texts.failed}</p>
  if (!raw) return <Skeleton className="m-6 h-24" />
  return (
    <>
      {raw.bytes > SHOWN_BYTES_MAX && (
        <p className="px-5 pt-3 text-muted text-sm sm:px-6">{texts.rawTooLarge({ size: formatSize(raw.bytes, language) })}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto px-5 py-4 font-mono text-sm [content-visibility:auto] sm:px-6" data-testid="raw">
        {raw.text}
      </pre>
    </>
  )
}
