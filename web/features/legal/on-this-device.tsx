import { type ReactNode, useEffect, useState } from 'react'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { regional } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { clearDeviceData, type DeviceData, readDeviceData } from '#web/lib/site/device-data.ts'
import { LEGAL_SECTION } from './plain-page.tsx'

// Without a network every press counts.
import('#web/lib/browser/stray-press.ts').catch(() => undefined)

/** What the page keeps in this browser, each with its purpose, and a button that clears it. Nothing of it is sent anywhere. */
export function OnThisDevice() {
  const { device: texts } = useTexts('privacy')
  const [data, setData] = useState<DeviceData>()
  useEffect(() => setData(readDeviceData()), [])
  const settings = [...(data?.settings ?? [])].map(name => texts.settingNames[name]).join(', ')
  return (
    <section className={LEGAL_SECTION} aria-labelledby="on-this-device">
      <h2 id="on-this-device" className="text-xl">
        {texts.title}
      </h2>
      <div className="min-w-0">
        <p className="max-w-[68ch] @max-[58rem]:mt-2">{texts.lead}</p>
        <dl className="mt-2">
          <Kept name={texts.address} purpose={texts.addressPurpose}>
            {data &&
              (data.emails.length > 0 ? (
                <span className="font-mono text-sm">
                  <NamesUnbroken text={data.emails.join(', ')} />
                </span>
              ) : (
                texts.none
              ))}
          </Kept>
          {data?.kept.has('wanted') && (
            <Kept name={texts.wanted} purpose={texts.wantedPurpose}>
              {texts.stored}
            </Kept>
          )}
          {data?.kept.has('deletions') && (
            <Kept name={texts.deletions} purpose={texts.deletionsPurpose}>
              {texts.stored}
            </Kept>
          )}
          <Kept name={texts.settings} purpose={texts.settingsPurpose}>
            {data && (settings || texts.none)}
          </Kept>
          <Kept name={texts.attempts} purpose={texts.attemptsPurpose}>
            {data && texts.attemptsUsed({ count: data.attempts })}
          </Kept>
          <Kept name={texts.readMarks} purpose={texts.readMarksPurpose}>
            {data && (data.kept.has('readMarks') ? texts.stored : texts.none)}
          </Kept>
          <Kept name={texts.account} purpose={texts.accountPurpose}>
            {data && (data.kept.has('account') ? texts.stored : texts.none)}
          </Kept>
          <Kept name={texts.security} purpose={texts.securityPurpose}>
            {data && texts.lastHour(data.lastHour)}
          </Kept>
        </dl>
        {data && data.events.length > 0 && <SecurityEvents events={data.events} />}
        {data && <Clear emails={data.emails} onCleared={() => setData(readDeviceData())} />}
      </div>
    </section>
  )
}

function Kept({ name, purpose, children }: { name: string; purpose: string; children: ReactNode }) {
  return (
    <div className="gap-x-6 border-line border-b py-3 sm:grid sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="font-medium">{name}</dt>
      <dd>
        {/* The served page knows nothing of this browser, and the line keeps its height. */}
        <p className="min-h-[1lh] [overflow-wrap:anywhere]">{children}</p>
        <p className="text-muted text-sm">{purpose}</p>
      </dd>
    </div>
  )
}

function SecurityEvents({ events }: { events: DeviceData['events'] }) {
  const { device: texts } = useTexts('privacy')
  const { language } = useLanguage()
  const time = new Intl.DateTimeFormat(regional(language), {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return (
    <>
      <h3 className="mt-6 font-medium">{texts.events}</h3>
      <ol className="mt-1 text-sm">
        {events.map(({ type, timestamp, details }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two events may be equal, and the list is only replaced as a whole
          <li key={index} className="flex flex-wrap gap-x-4 border-line border-b py-2">
            <time dateTime={new Date(timestamp).toISOString()} className="figures text-muted">
              {time.format(timestamp)}
            </time>
            <span>
              {[texts.eventNames[type], typeof details.score === 'number' && texts.score({ score: details.score })]
                .filter(Boolean)
                .join(', ')}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Asks first if an address would be lost: only this browser has its key. */
function Clear({ emails, onCleared }: { emails: readonly string[]; onCleared: () => void }) {
  const { device: texts } = useTexts('privacy')
  const [step, setStep] = useState<'offer' | 'ask' | 'done'>('offer')

  async function press() {
    if (step !== 'ask' && emails.length > 0) return setStep('ask')
    await clearDeviceData()
    setStep('done')
    onCleared()
  }

  return (
    <>
      <p role="status" className="mt-6 [overflow-wrap:anywhere]">
        {step === 'ask' && <NamesUnbroken text={texts.confirm({ emails: emails.join(', ') })} />}
        {step === 'done' && texts.cleared}
      </p>
      <div className="mt-3 flex flex-wrap gap-3 max-sm:flex-col">
        <Button data-delete variant={step === 'ask' ? 'danger' : 'secondary'} onClick={() => void press()}>
          {step === 'ask' ? texts.clearNow : texts.clear}
        </Button>
        {step === 'ask' && <Button onClick={() => setStep('offer')}>{texts.keep}</Button>}
      </div>
    </>
  )
}
