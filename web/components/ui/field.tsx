import { clsx } from 'clsx'
import { type ComponentProps, createContext, type InputEvent, type ReactNode, use, useId } from 'react'
import { ChevronDown } from '#web/components/ui/icons.ts'
import { withoutControls } from '#web/lib/browser/control-characters.ts'

const controlClass =
  'w-full rounded-md border border-edge bg-raised px-3.5 text-base text-ink transition-colors duration-150 ease-out ' +
  'placeholder:text-muted hover:border-ink focus-visible:outline-offset-1 aria-invalid:border-ember aria-invalid:border-2 ' +
  'disabled:border-line disabled:bg-sunken disabled:text-muted'

type Described = { id?: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
type FieldProps = {
  label: ReactNode
  /** Always visible, e.g. an example of a valid value. */
  hint?: ReactNode
  /** It is announced when it appears. A field that can have one names it, `undefined` while there is none. */
  error?: ReactNode
  className?: string
  /** With one control: an input, a select or a text area of this file. */
  children: ReactNode
}

/** The ids that connect a control with the label, hint and error of the field that it is in. */
const DescribedContext = createContext<Described>({})

/** A form that the page itself handles. Its errors stand at its fields, not in the browser's bubbles; the first of them takes the focus. */
export function Form({ onSubmit, ...props }: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => unknown }) {
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
 * Label and hint, control, and one line below it for the error. The line has its height in every field, so that nothing jumps when it is
 * filled, and below it is one gap, whether to the next field or to a button.
 */
export function Field({ label, hint, className, children, ...failing }: FieldProps) {
  const { error } = failing
  const id = useId()
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`]
  const described = [error && errorId, hint !== undefined && hintId].filter(Boolean).join(' ')
  const control: Described = {
    id,
    ...(described && { 'aria-describedby': described }),
    ...(error ? { 'aria-invalid': true as const } : {}),
  }
  return (
    <div className={clsx('mb-3.5 flex flex-col', className)}>
      <div className="mb-1 flex flex-wrap items-baseline gap-x-2.5">
        <label htmlFor={id} className="font-medium text-base">
          {label}
        </label>
        {hint !== undefined && (
          <p id={hintId} className="text-muted text-sm">
            {hint}
          </p>
        )}
      </div>
      <DescribedContext value={control}>{children}</DescribedContext>
      <p id={errorId} aria-live={'error' in failing ? 'polite' : undefined} className="mt-1.5 min-h-[1.45em] text-ember-ink text-sm">
        {error}
      </p>
    </div>
  )
}

/** Returns what a field says of a refusal that a toast has announced. */
export const SaidByToast = ({ children }: { children: ReactNode }) => <span aria-live="off">{children}</span>

/** Drops pasted control characters, which the server refuses, before the form sees the value. A password is taken as it is. */
function dropControls({ currentTarget: field }: InputEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  if (field.type === 'password') return
  const sound = withoutControls(field.value, { isOneLine: field.tagName === 'INPUT' })
  if (sound !== field.value) field.value = sound
}

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input className={clsx(controlClass, 'min-h-12', className)} onInput={dropControls} {...use(DescribedContext)} {...props} />
}

/** With the site's own arrow instead of the browser's. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={clsx('relative block', className)}>
      <select className={clsx(controlClass, 'min-h-12 appearance-none pr-11')} {...use(DescribedContext)} {...props} />
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3.5 size-4.5 -translate-y-1/2 text-muted"
        strokeWidth={1.5}
      />
    </span>
  )
}

export function TextArea({ className, ...props }: ComponentProps<'textarea'>) {
  const sized = clsx(controlClass, 'min-h-36 resize-y py-3', className)
  return <textarea className={sized} onInput={dropControls} {...use(DescribedContext)} {...props} />
}
