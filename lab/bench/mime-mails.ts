/** Realistic mails of a given size, with the same bytes every time. */

const WORDS =
  'account order receipt thank you for your purchase visit the shop and confirm delivery tomorrow morning café señal weiß'.split(' ')

/** Multipart/alternative in 8bit and quoted-printable with 25 header fields, then attachments in base64 up to `bytes`. */
export function sampleMail(bytes: number): Buffer {
  const random = mulberry32(bytes)
  const words = (chars: number, join: string) => {
    const out: string[] = []
    for (let length = 0; length < chars; ) {
      const word = WORDS[Math.floor(random() * WORDS.length)] ?? ''
      length += word.length + join.length
      out.push(word)
    }
    return out.join(join)
  }
  const bodyBytes = Math.min(bytes, 60_000) - 2200
  const text = wrap(words(bodyBytes * 0.35, ' '))
  const html = quotedPrintable(
    `<html><head><style>${'p{margin:0;color:#333}'.repeat(Math.ceil(bodyBytes / 400))}</style></head><body><p>${words(bodyBytes * 0.4, '</p><p style="color:#123456">')}</p></body></html>`,
  )
  const head = [
    ...Array.from(
      { length: 6 },
      (_, hop) =>
        `Received: from mx${hop}.example.com (mx${hop}.example.com [192.0.2.${hop}])\r\n\tby relay.example.net with ESMTPS id ${Math.floor(random() * 1e9)}\r\n\tfor <someone@mayfly.test>; Fri, 20 Nov 2026 10:00:0${hop} +0000`,
    ),
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=mail;\r\n\th=from:to:subject:date; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\r\n\tb=' +
      'QUJDREVGR0hJSktM'.repeat(20),
    'From: =?utf-8?Q?Caf=C3=A9_del_Sol?= <news@example.com>',
    'To: "Someone Else" <someone@mayfly.test>',
    'Subject: =?utf-8?B?VHUgY8OzZGlnbyBkZSBjb25maXJtYWNpw7Nu?= 123456',
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'Message-ID: <abc.123@example.com>',
    'List-Unsubscribe: <https://example.com/u/1>, <mailto:u@example.com>',
    'X-Mailer: Example 1.0',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="----=_Part_1"',
  ]
  const parts = [
    '------=_Part_1\r\nContent-Type: multipart/alternative; boundary="----=_Part_2"\r\n\r\n',
    `------=_Part_2\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}\r\n`,
    `------=_Part_2\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${html}\r\n------=_Part_2--\r\n`,
  ]
  const rest = bytes - 60_000
  for (let at = 0; at < rest; at += 500_000) parts.push(attachment(at, Math.min(500_000, rest - at), random))
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${parts.join('')}------=_Part_1--\r\n`, 'utf8')
}

/** One part of plain text and seven header fields, as a program sends it. */
export function textMail(bytes: number): Buffer {
  const head = [
    'Received: from app.example.com (app.example.com [192.0.2.1])\r\n\tby mx.mayfly.test with ESMTPS; Fri, 20 Nov 2026 10:00:00 +0000',
    'From: Jane <jane@example.com>',
    'To: someone@mayfly.test',
    'Subject: The minutes of Monday',
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'Message-ID: <abc.124@example.com>',
    'Content-Type: text/plain; charset=utf-8',
  ].join('\r\n')
  const line = 'All work and no play makes a dull mail, as every sender knows.\r\n'
  return Buffer.from(`${head}\r\n\r\n${line.repeat(Math.max(1, Math.floor((bytes - head.length - 4) / line.length)))}`)
}

function attachment(number: number, encodedBytes: number, random: () => number): string {
  const data = Buffer.from(Array.from({ length: Math.floor((encodedBytes * 57) / 78) }, () => Math.floor(random() * 256)))
  const body = data.toString('base64').replace(/.{76}/g, '$&\r\n')
  return `------=_Part_1\r\nContent-Type: application/pdf; name="file-${number}.pdf"\r\nContent-Disposition: attachment; filename="file-${number}.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`
}

function wrap(text: string): string {
  return text.replace(/(.{60,72}) /g, '$1\r\n')
}

function quotedPrintable(text: string): string {
  const encoded = Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[=\x80-\xff]/g, char => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  return encoded.replace(/(.{60,72}(?!=?[0-9A-F]?=?))(?=.)/g, '$1=\r\n')
}

/** A small seeded generator, so that all runs use the same mails. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
