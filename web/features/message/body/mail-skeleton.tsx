import { Skeleton } from '#web/components/ui/status-dot.tsx'

/** Stands for the words of a mail until its frame has their height. */
export function MailSkeleton() {
  return (
    <div aria-hidden="true" data-testid="mail-skeleton" className="min-h-48 space-y-3 px-5 py-6 sm:px-6">
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-3/5" />
    </div>
  )
}
