/** What is left at the end of an address: numbers, made in this page and kept nowhere. Fetched with the first end. */
import { useState } from 'react'
import type { MessageSummary } from '#contract/mailbox.ts'
import { Button } from '#web/components/ui/button.tsx'
import { saveBytes } from '#web/lib/browser/save-file.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { countBlockedTrackers } from '#web/lib/mailbox/blocked-trackers.ts'
import { clockTime } from '#web/lib/mailbox/countdown.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

export type ReceiptProps = {
  /** The mail of the address, which is cleared while this is shown. */
  messages: readonly MessageSummary[]
  endedAt: number
  isOver: boolean
}

export default function Receipt({ messages, endedAt, isOver }: ReceiptProps) {
  const { receipt: texts } = useTexts('mailboxDialogs')
  const { language } = useLanguage()
  const { siteName } = useSiteConfig()
  const [counts] = useState(() => ({
    mails: messages.length,
    codes: messages.reduce((sum, { codes }) => sum + codes.length, 0),
    trackers: countBlockedTrackers(messages.map(({ id }) => id)),
  }))
  if (!isOver || counts.mails === 0) return null
  // A number is not the last word of a line.
  const what = texts.what(counts).replace(/(\d) /g, '$1\u00a0')
  const when = texts.when({ time: clockTime(new Date(endedAt), language) })
  const save = async () => saveBytes(await drawReceipt(siteName, what, when), 'receipt.png', 'image/png')
  return (
    <div data-testid="receipt" className="flex w-full flex-wrap items-center justify-between gap-x-3 gap-y-2 text-sm">
      {/* When is under the clock. */}
      <p className="min-w-[min(7rem,100%)] flex-1">{what}</p>
      <Button className="shrink-0 text-sm!" onClick={() => void save().catch(console.warn)}>
        {texts.save}
      </Button>
    </div>
  )
}

const WIDTH_PX = 1200
const HEIGHT_PX = 630
const HORIZON_PX = 400

/**
 * An afterglow in colours of its own, because a picture follows no theme, and the numbers. No address: the picture may be shown to others.
 */
async function drawReceipt(name: string, what: string, when: string): Promise<ArrayBuffer> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH_PX, height: HEIGHT_PX })
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('this browser draws no pictures')
  const sky = pen.createLinearGradient(0, 0, 0, HORIZON_PX)
  sky.addColorStop(0, '#0d1118')
  sky.addColorStop(0.6, '#1d1a1c')
  sky.addColorStop(1, '#4a2412')
  pen.fillStyle = '#0d1118'
  pen.fillRect(0, 0, WIDTH_PX, HEIGHT_PX)
  pen.fillStyle = sky
  pen.fillRect(0, 0, WIDTH_PX, HORIZON_PX)
  const glow = pen.createRadialGradient(900, HORIZON_PX, 0, 900, HORIZON_PX, 260)
  glow.addColorStop(0, '#e88a4a88')
  glow.addColorStop(1, '#e88a4a00')
  pen.fillStyle = glow
  pen.fillRect(600, HORIZON_PX - 260, 600, 260)
  pen.fillStyle = '#f2a15b'
  pen.fillRect(0, HORIZON_PX - 2, WIDTH_PX, 4)
  pen.fillStyle = '#e9e5dc'
  for (const [x, y] of STARS) pen.fillRect(x, y, 4, 4)
  await Promise.all(['600 64px', '32px'].map(font => document.fonts.load(`${font} "Instrument Sans"`)))
  const write = (text: string, y: number, font: string, color: string) => {
    pen.font = `${font} "Instrument Sans", system-ui, sans-serif`
    pen.fillStyle = color
    pen.fillText(text, 80, y, WIDTH_PX - 160)
  }
  write(name, 120, '600 40px', '#e9e5dc')
  write(what, 250, '600 60px', '#f4f1ea')
  write(when, 490, '36px', '#a9adb8')
  return new Promise((resolve, reject) =>
    canvas.toBlob(blob => (blob ? resolve(blob.arrayBuffer()) : reject(new Error('no picture was made')))),
  )
}

const STARS = [
  [700, 90],
  [820, 170],
  [960, 60],
  [1050, 210],
  [1110, 120],
] as const
