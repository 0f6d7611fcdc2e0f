import { Dialog } from '#web/components/ui/dialog.tsx'
import { enableShortcuts, useShortcutsEnabled } from '#web/lib/browser/shortcuts.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

/** Lists the keyboard shortcuts, with a switch that turns them off. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { keys } = useTexts('mailboxDialogs')
  const isEnabled = useShortcutsEnabled()
  const rows: [keys: string[], what: string][] = [
    [['c'], keys.copy],
    [['x'], keys.copyCode],
    [['g'], keys.generate],
    [['u'], keys.undo],
    [['r'], keys.refresh],
    [['j', '↓'], keys.next],
    [['k', '↑'], keys.previous],
    [['Enter', 'o'], keys.open],
    [['Esc'], keys.close],
    [['?'], keys.help],
  ]
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl className="divide-y divide-line px-5 py-2 sm:px-6">
        {rows.map(([names, what]) => (
          <div key={what} className="flex items-center justify-between gap-4 py-2.5">
            <dt>{what}</dt>
            <dd className="flex shrink-0 items-center gap-1.5 text-muted text-sm">
              {names.map((name, i) => (
                <span key={name} className="contents">
                  {i > 0 && keys.or}
                  <kbd className="min-w-7 rounded-sm border border-edge px-1.5 py-0.5 text-center font-mono text-ink text-sm">{name}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className="flex min-h-11 items-center gap-3 border-line border-t px-5 py-3 sm:px-6">
        <input type="checkbox" className="size-5" checked={isEnabled} onChange={event => enableShortcuts(event.target.checked)} />
        {keys.enabled}
      </label>
    </Dialog>
  )
}
