import { useSyncExternalStore } from 'react'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

/** A line shown while there is no network. The live region always exists, so that screen readers announce its text. */
export function OfflineNotice() {
  const words = useTexts('layout')
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status" data-print="never">
      {!isOnline && <p className="bg-dusk-wash px-5 py-2.5 text-center text-sm">{words.offline}</p>}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
