import { lazy, Suspense, useState } from 'react'
import type { Message } from '#contract/mailbox.ts'
import { Tabs } from '#web/components/ui/tabs.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { bodyForms } from './body-forms.ts'
import { HeadersView } from './headers-view.tsx'
import type { MailChoices } from './mail-choices.ts'
import { preferredView, rememberView } from './preferred-view.ts'
import { RawView } from './raw-view.tsx'
import { TextView } from './text-view.tsx'

const HtmlView = lazy(() => import('./html-view.tsx'))

/** The rarely used views, which the menu adds as tabs. */
export type MenuView = 'text' | 'headers' | 'raw'
type View = 'simple' | 'layout' | MenuView

type Props = { token: string; message: Message; chosenView: MenuView | undefined; choices: MailChoices }

/** The mail's text: HTML simple or in its original layout, everything else as plain text. */
export function MessageBody({ token, message, chosenView, choices }: Props) {
  const texts = useTexts('message')
  const { html, text } = bodyForms(message)
  const own: View = html !== undefined ? preferredView() : message.parseStatus === 'failed' ? 'raw' : 'text'
  const [view, setView] = useState<View>(chosenView ?? own)
  const show = (chosen: View) => {
    if (chosen === 'simple' || chosen === 'layout') rememberView(chosen)
    setView(chosen)
  }
  const panel = (name: View) => {
    if (name === 'headers') return <HeadersView headers={message.headers} />
    if (name === 'raw') return <RawView token={token} id={message.id} />
    if (name === 'text' || html === undefined) return <TextView text={text} html={html} />
    return (
      <Suspense fallback={<div className="min-h-48" />}>
        <HtmlView token={token} message={message} html={html} view={name} choices={choices} />
      </Suspense>
    )
  }
  const names = new Set<View>(html === undefined ? [own] : ['simple', 'layout'])
  if (chosenView) names.add(chosenView)
  const tabs = Array.from(names, name => ({ name, label: texts.views[name], panel: panel(name) }))
  return (
    <div className="border-line border-t [&_[role=tablist]]:px-5 sm:[&_[role=tablist]]:px-6 max-sm:[&_[role=tab]]:min-h-11">
      {tabs.length === 1 ? panel(own) : <Tabs<View> label={texts.views.label} tabs={tabs} selected={view} onSelect={show} />}
    </div>
  )
}
