/** Mails of few words about what links are for, with URLs of four shapes: what strangers send, and no rule foresees. */
import families from '../../test/fixtures/links/families.json' with { type: 'json' }

type Family = { subject: string; text?: string; html?: string; link: string | undefined }
const SITE = 'https://lantern.example'
const SHAPES: readonly ((number: number) => string)[] = [
  number => `${SITE}/a/k3yc${number}Ek192ImX9Yu4u3G`,
  number => `https://go.lantern.example/c/8QvhP${number}Kiq8hf`,
  number => `${SITE}/s/${number}8f2k1?u=aa`,
  number => `${SITE}/x?uid=8812${number}&h=ba2f81`,
]
const FOOTER = `<p><a href="${SITE}/help">Help</a> | <a href="${SITE}/u/9?z=1">Unsubscribe</a></p>`

export function linkFamilies(): Family[] {
  return [
    ...families.confirms.flatMap((words, at) => written(words, at, true)),
    ...families.others.flatMap((words, at) => written(words, at, false)),
  ]
}

function written([subject = '', words = '', label = '']: readonly string[], at: number, isRight: boolean): Family[] {
  return SHAPES.map((shape, kind) => {
    const url = shape(10 + at)
    const link = isRight ? url : undefined
    if (kind === SHAPES.length - 1) return { subject, text: `${words}\n\n${label}\n${url}\n`, link }
    const tracked = kind === 1
    const logo = tracked ? `<a href="${shape(73)}"><img src="${SITE}/logo.png" alt="Lantern"></a>` : ''
    const rewritten = `<p><a href="${shape(70)}">Lantern</a> <a href="${shape(71)}">Unsubscribe</a> <a href="${shape(72)}">Help</a></p>`
    const html = `${logo}<p>${words}</p><p><a href="${url}">${label || url}</a></p>${tracked ? rewritten : FOOTER}`
    return { subject, html, link }
  })
}
