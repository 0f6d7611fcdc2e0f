import { useSyncExternalStore } from 'react'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

/** One quiet line while there is no network. The region is always there, so that its text is read out when it comes. */
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
