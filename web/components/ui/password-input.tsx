import { type ComponentProps, useState } from 'react'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Input } from './field.tsx'
import { Eye, EyeOff } from './lazy-icons.ts'

/** A password, which its button shows. */
export function PasswordInput(props: ComponentProps<'input'>) {
  const texts = useTexts('auth')
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input {...props} type={isShown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} className="pr-13" />
      <button
        type="button"
        onClick={() => setIsShown(!isShown)}
        className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-md text-muted hover:text-ink focus-visible:-outline-offset-4"
      >
        <Icon aria-hidden="true" className="size-5" strokeWidth={1.5} />
        <span className="sr-only">{isShown ? texts.hidePassword : texts.showPassword}</span>
      </button>
    </div>
  )
}
