import { clsx } from 'clsx'
import { type ComponentProps, type InputEvent, type ReactNode, useId } from 'react'
import { ChevronDown } from '#web/components/ui/icons.tsx'
import { withoutControls } from '#web/lib/browser/control-characters.ts'

const controlClass =
  'w-full rounded-md border border-edge bg-raised px-3.5 text-base text-ink transition-colors duration-150 ease-out ' +
  'placeholder:text-muted hover:border-ink focus-visible:outline-offset-1 aria-invalid:border-ember aria-invalid:border-2 ' +
  'disabled:border-line disabled:bg-sunken disabled:text-muted'

type Described = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
type FieldProps = {
  label: ReactNode
  /** Always visible, e.g. an example of a valid value. */
  hint?: ReactNode
  /** Replaces the hint, and is announced when it appears. A field that can have one names it, `undefined` while there is none. */
  error?: ReactNode
  className?: string
  /** Gets the ids that connect the control with its label, hint and error. */
  children: (control: Described) => ReactNode
}

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => unknown }

/** A form that the page itself handles. Its errors stand at its fields, not in the browser's bubbles; the first of them takes the focus. */
export function Form({ onSubmit, ...props }: FormProps) {
  return (
    <form
      noValidate
      {...props}
      onSubmit={event => {
        event.preventDefault()
        const form = event.currentTarget
        void onSubmit()
        // React has drawn by then what the press itself changed. What the server refuses comes later and moves no focus.
        queueMicrotask(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus())
      }}
    />
  )
}

/**
 * Label, control, and one line below it for the error or the hint. The line has its height in every field, so that nothing jumps when it
 * is filled, and below it is one gap, whether to the next field or to a button.
 */
export function Field({ label, hint, className, children, ...failing }: FieldProps) {
  const { error } = failing
  const id = useId()
  const noteId = `${id}-note`
  const hasNote = hint !== undefined || 'error' in failing
  const control: Described = { id, ...(hasNote && { 'aria-describedby': noteId }), ...(error ? { 'aria-invalid': true as const } : {}) }
  return (
    <div className={clsx('mb-3.5 flex flex-col', className)}>
      <label htmlFor={id} className="mb-1 font-medium text-base">
        {label}
      </label>
      {children(control)}
      <p
        id={hasNote ? noteId : undefined}
        aria-live={hasNote ? 'polite' : undefined}
        className={clsx('mt-1.5 min-h-[1.45em] text-sm', error ? 'text-ember-ink' : 'text-muted')}
      >
        {error || hint}
      </p>
    </div>
  )
}

/** Returns what a field keeps of a refusal that a toast shows and announces. */
export function SaidByToast({ children }: { children: ReactNode }) {
  return (
    <span aria-live="off" className="said-by-toast">
      {children}
    </span>
  )
}

/** Drops pasted control characters, which the server refuses, before the form sees the value. A password is taken as it is. */
function dropControls({ currentTarget: field }: InputEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  if (field.type === 'password') return
  const sound = withoutControls(field.value, { isOneLine: field.tagName === 'INPUT' })
  if (sound !== field.value) field.value = sound
}

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input className={clsx(controlClass, 'min-h-12', className)} onInput={dropControls} {...props} />
}

/** With the site's own arrow instead of the browser's. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={clsx('relative block', className)}>
      <select className={clsx(controlClass, 'min-h-12 appearance-none pr-11')} {...props} />
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3.5 size-4.5 -translate-y-1/2 text-muted"
        strokeWidth={1.5}
      />
    </span>
  )
}

export function TextArea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea className={clsx(controlClass, 'min-h-36 resize-y py-3', className)} onInput={dropControls} {...props} />
}
