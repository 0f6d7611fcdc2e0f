/** reCAPTCHA v3 with the operator's key. Its script is loaded when the first token is needed. */
import type { BotCheckAction } from '#contract/site.ts'

const LOAD_TIMEOUT_MS = 15_000

type Grecaptcha = { ready: (run: () => void) => void; execute: (siteKey: string, options: { action: string }) => Promise<unknown> }

let loading: Promise<Grecaptcha> | undefined

/** Rejects if the script cannot be loaded; the next call tries again. */
export function loadRecaptcha({ scriptUrl, siteKey }: { scriptUrl: string; siteKey: string }): Promise<Grecaptcha> {
  loading ??= insertScript(`${scriptUrl}?render=${encodeURIComponent(siteKey)}`)
    .then(currentRecaptcha)
    .catch(error => {
      loading = undefined
      throw error
    })
  return loading
}

export async function executeRecaptcha(recaptcha: Grecaptcha, siteKey: string, action: BotCheckAction): Promise<string> {
  await new Promise<void>(resolve => recaptcha.ready(resolve))
  const token = await recaptcha.execute(siteKey, { action })
  if (typeof token !== 'string' || token === '') throw new Error('reCAPTCHA gave no token')
  return token
}

function insertScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const timer = setTimeout(() => fail(), LOAD_TIMEOUT_MS)
    const fail = () => {
      clearTimeout(timer)
      script.remove()
      reject(new Error('The reCAPTCHA script did not load'))
    }
    script.onload = () => {
      clearTimeout(timer)
      resolve()
    }
    script.onerror = fail
    script.src = url
    document.head.append(script)
  })
}

function currentRecaptcha(): Grecaptcha {
  const recaptcha: unknown = Reflect.get(globalThis, 'grecaptcha')
  if (isGrecaptcha(recaptcha)) return recaptcha
  throw new Error('The reCAPTCHA script brought no reCAPTCHA')
}

function isGrecaptcha(value: unknown): value is Grecaptcha {
  return typeof value === 'object' && value !== null && 'ready' in value && 'execute' in value
}
