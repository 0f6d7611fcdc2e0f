import { clsx } from 'clsx'
import { Fragment, memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { judgeLink } from '#reader/links/judge-link.ts'
import { textRuns } from '#reader/seen/plain-text.ts'
import { NamesUnbroken, Unbroken } from '#web/components/ui/address.tsx'
import { ChevronRight } from '#web/components/ui/lazy-icons.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { cutPieces, FOLDED_LINES_MIN, hasColumns, splitText, type TextBlock } from './body-forms.ts'
import { splitLongWords } from './long-words.ts'

/** The links there from the start, so that the Tab key gets to the one that unsubscribes: all of a newsletter, and few enough to draw. */
const LINKED_MAX = 150
const LINKED_CHARS = 32_000
/** A flick of the wheel does not get past it. */
const NEAR_MARGIN = '1500px'

/** With kerning Chromium shapes the rest of a word again for each line: a word of 1,000,000 letters took 17 s, and without 1 s. */
const KERNED_CHARS_MAX = 32_768

const QUOTE = 'border-line border-l-2 pl-3 text-muted'

type Props = { text: string; emptyNote: string }

/** A text with its line breaks; links open in a new tab, longer quotes fold. Rendered in pieces, so that 20,000 lines stay smooth. */
export function TextView({ text: untrimmed, emptyNote }: Props) {
  const texts = useTexts('message')
  const text = untrimmed.trimEnd()
  const blocks = useMemo(() => splitText(text), [text])
  const isTabular = useMemo(() => hasColumns(text), [text])
  if (text === '') return <p className="px-5 py-6 text-muted sm:px-6">{emptyNote}</p>
  return (
    <div
      dir="auto"
      className={clsx(
        'box-content whitespace-pre-wrap px-5 py-5 [overflow-wrap:anywhere] sm:px-6',
        isTabular ? 'max-w-[100ch] font-mono text-sm' : 'max-w-[70ch]',
        text.length > KERNED_CHARS_MAX && '[font-kerning:none]',
      )}
      data-testid="text"
    >
      {blocks.map(block =>
        !block.isQuote ? (
          <Piece key={block.at} block={block} />
        ) : block.lines.length < FOLDED_LINES_MIN ? (
          <blockquote key={block.at} className={QUOTE}>
            <Pieces block={block} />
          </blockquote>
        ) : (
          <details key={block.at} className={clsx('group', QUOTE)}>
            <summary className="flex min-h-9 items-center gap-1.5 text-sm">
              <ChevronRight
                aria-hidden="true"
                className="size-4 transition-transform duration-150 group-open:rotate-90"
                strokeWidth={1.75}
              />
              {texts.quoted({ lines: block.lines.length })}
            </summary>
            <Pieces block={block} />
          </details>
        ),
      )}
    </div>
  )
}

function Pieces({ block }: { block: TextBlock }) {
  const pieces = useMemo(() => cutPieces(block), [block])
  return pieces.map(piece => <Piece key={piece.at} block={piece} />)
}

const Piece = memo(function Piece({ block }: { block: TextBlock }) {
  const box = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(box, block.linksBefore < LINKED_MAX && block.charsBefore < LINKED_CHARS)
  const runs = useMemo(() => {
    // Ended, because a line break at the end of a box is not drawn, and a last line may be blank.
    const text = `${block.lines.join('\n')}\n`
    return isNear ? textRuns(text) : [{ text, at: 0 }]
  }, [block, isNear])
  return (
    <div
      ref={box}
      style={{ containIntrinsicSize: `auto ${block.lines.length * 1.55}rem` }}
      className="[content-visibility:auto] print:[content-visibility:visible]"
    >
      {runs.map(({ text, at, url }) => (url === undefined ? <Words key={at} text={text} /> : <TextLink key={at} href={url} text={text} />))}
    </div>
  )
})

function Words({ text }: { text: string }) {
  return splitLongWords(text).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of a mail never change places
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

/** Whether the piece has been near the viewport. Links are searched only then, because a log of 20,000 lines may have one in each. */
function useIsNear(box: RefObject<HTMLElement | null>, isNearAtOnce: boolean): boolean {
  const [isNear, setIsNear] = useState(isNearAtOnce)
  useEffect(() => {
    if (isNear || !box.current) return
    const observer = new IntersectionObserver(entries => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true), {
      rootMargin: NEAR_MARGIN,
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, isNear])
  return isNear
}

/** Letters that imitate others can stand in plain text as well. */
function TextLink({ href, text }: { href: string; text: string }) {
  const { flag, host } = judgeLink(href, text)
  return (
    <>
      {/* A mark before it that turns letters does not reach into an element with a direction of its own. */}
      <a
        href={href}
        title={href}
        dir="ltr"
        target="_blank"
        rel="noopener noreferrer nofollow"
        aria-label={text}
        className="text-link text-river-ink"
      >
        <NamesUnbroken text={text} />
      </a>
      {flag && (
        <>
          {' '}
          <span className="mr-1 rounded-sm bg-ember-wash px-1 font-medium text-ember-ink text-sm">
            <Unbroken name={`→\u00a0${host}`} />
          </span>
        </>
      )}
    </>
  )
}
