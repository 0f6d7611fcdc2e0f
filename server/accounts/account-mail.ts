import { randomBytes } from 'node:crypto'
import { DEFAULT_LANGUAGE, type Language, toLanguage } from '#contract/languages.ts'
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { Step } from '#server/database/rights.ts'
import type { OutgoingMail } from '#server/outbound/mail-out.ts'
import type { Outbox } from '#server/outbound/outbox.ts'
import { escapeHtml } from '#server/platform/escape-html.ts'

/** The purposes of links in mails, and how long each works. */
export const LINK_LIFETIME_MS = { confirm: DAY_MS, reset: HOUR_MS } as const
type LinkPurpose = keyof typeof LINK_LIFETIME_MS
const PAGES = { confirm: '/auth/confirm', reset: '/auth/new-password' } as const
/** The changes that owners are told of, since somebody else may have made them, and where they do something about it. */
const RESCUE_PAGES = {
  password_changed: '/auth/forgot-password',
  password_reset: '/auth/forgot-password',
  passkey_added: '/auth/forgot-password',
  passkey_removed: '/auth/forgot-password',
  api_key_created: '/auth/forgot-password',
  api_key_revoked: '/auth/forgot-password',
  second_factor_locked: '/auth/forgot-password',
  account_deleted: '/contact',
} as const
export type AccountChange = keyof typeof RESCUE_PAGES
/**
 * Call it before the step of the change, since it may ask the cluster whether one more mail may be sent. What it returns tells the owner in
 * the step, so that the mail is there if the change is.
 */
export type Warn = (userId: string) => Promise<(step: Step) => Promise<void>>
/** `left` says how many more may be sent now, and `count` counts one. */
export type WarningMails = { readonly left: (userId: string) => Promise<number>; readonly count: (userId: string) => Promise<unknown> }
/** Mails of one kind to one owner, while changes that may send one are under way: those kept, and those of them that were counted. */
type Tally = { underWay: number; kept: number; counted: number }
/** A warning that arrives later than this helps nobody. */
const WARNING_LIFETIME_MS = DAY_MS
type AccountMailDeps = DatabaseAccess & { readonly outbox: Outbox; readonly publicUrl: string; readonly siteName: string }

/** Mails to the owners of accounts. A link's token has 256 random bits and is stored only as a keyed hash. */
export class AccountMail {
  readonly #deps: AccountMailDeps
  readonly #tallies = new Map<string, Tally>()

  constructor(deps: AccountMailDeps) {
    this.#deps = deps
  }

  newToken(purpose: LinkPurpose): { token: string; tokenHash: string } {
    const token = randomBytes(32).toString('base64url')
    return { token, tokenHash: this.hash(purpose, token) }
  }

  hash(purpose: LinkPurpose, token: string): string {
    return this.#deps.secretBox.hash(`link/${purpose}`, token)
  }

  /** The token is in the fragment, which browsers send neither to servers nor in a referrer. */
  async sendLink(purpose: LinkPurpose, to: { email: string; language: Language }, token: string): Promise<void> {
    const { outbox, publicUrl, siteName } = this.#deps
    const link = `${publicUrl}${PAGES[purpose]}?lang=${to.language}#${token}`
    await outbox.enqueue(linkMail(purpose, to, link, siteName), { givesUpAfterMs: LINK_LIFETIME_MS[purpose] })
  }

  /**
   * Calls `work` with what mails the owner, in the step of the change. A mail counts when that is written. Changes at once are told at most
   * as often as one after the other: what was kept since `left` was asked counts too.
   */
  async warning<Result>(change: AccountChange, { left, count }: WarningMails, work: (warn: Warn) => Promise<Result>): Promise<Result> {
    let told: { readonly userId: string; readonly tally: Tally } | undefined
    using leaving = new DisposableStack()
    const warn: Warn = async userId => {
      const tally = this.#joinTally(`${change} ${userId}`, leaving)
      const { counted } = tally
      const leftMax = await left(userId)
      return async step => {
        if (tally.kept - counted >= leftMax) return
        tally.kept++
        if (await this.#keepWarning(change, step, userId)) told = { userId, tally }
      }
    }
    // A refusal may be what the owner is told of.
    try {
      return await work(warn)
    } finally {
      if (told) {
        void this.#deps.outbox.flush()
        await count(told.userId)
        told.tally.counted++
      }
    }
  }

  #joinTally(key: string, leaving: DisposableStack): Tally {
    const tally = this.#tallies.get(key) ?? { underWay: 0, kept: 0, counted: 0 }
    this.#tallies.set(key, tally)
    tally.underWay++
    leaving.defer(() => {
      tally.underWay--
      if (tally.underWay === 0) this.#tallies.delete(key)
    })
    return tally
  }

  /** Resolves to `false` if the account is gone. */
  async #keepWarning(change: AccountChange, step: Step, userId: string): Promise<boolean> {
    const { outbox, publicUrl, siteName } = this.#deps
    const owner = await step.selectFrom('users').select(['email', 'language']).where('id', '=', userId).executeTakeFirst()
    if (!owner) return false
    const to = { email: owner.email, language: toLanguage(owner.language) ?? DEFAULT_LANGUAGE }
    const { link, ...mail } = linkMail(change, to, `${publicUrl}${RESCUE_PAGES[change]}?lang=${to.language}`, siteName)
    await outbox.enqueue(mail, { givesUpAfterMs: WARNING_LIFETIME_MS }, step)
    return true
  }
}

type Template = { subject: string; lines: [why: string, until: string]; button: string; otherwise: string }
type Templates = Record<LinkPurpose | AccountChange, Template>

const endings: Record<Language, Pick<Template, 'button' | 'otherwise'>> = {
  en: { button: 'Choose a new password', otherwise: 'If it was you, there is nothing to do.' },
  es: { button: 'Elegir una contraseña nueva', otherwise: 'Si fuiste tú, no tienes que hacer nada.' },
}

const texts: Record<Language, (siteName: string) => Templates> = {
  en: siteName => ({
    confirm: {
      subject: `Confirm your ${siteName} account`,
      lines: [
        `Someone, we hope you, signed up for ${siteName} with this e-mail address.`,
        'Open the link and enter the password you chose to confirm it. The link works once, for 24 hours.',
      ],
      button: 'Confirm my address',
      otherwise: 'If it was not you, do nothing: the account is never opened and your address is forgotten.',
    },
    reset: {
      subject: `Choose a new ${siteName} password`,
      lines: [
        `Someone, we hope you, asked for a new password for the ${siteName} account of this e-mail address.`,
        'Open the link to choose one. The link works once, for one hour. All devices are signed out and all API keys revoked.',
      ],
      button: 'Choose a new password',
      otherwise: 'If it was not you, do nothing: your password stays as it is.',
    },
    password_changed: {
      subject: `Your ${siteName} password was changed`,
      lines: [
        `The password of your ${siteName} account was changed. All other devices were signed out.`,
        'If it was not you, choose a new one now. That also signs out whoever changed it, and revokes all passkeys and API keys.',
      ],
      ...endings.en,
    },
    password_reset: {
      subject: `Your ${siteName} password was set anew`,
      lines: [
        `The password of your ${siteName} account was set by a link that we mailed to this address. All devices were signed out.`,
        'If it was not you, somebody reads your mail: secure your mailbox first, then choose a new password.',
      ],
      ...endings.en,
    },
    passkey_added: {
      subject: `A passkey was added to your ${siteName} account`,
      lines: [
        `Your ${siteName} account has a new passkey, which signs in without the password.`,
        'If it was not you, choose a new password now. That signs out all devices, and revokes all passkeys and API keys.',
      ],
      ...endings.en,
    },
    passkey_removed: {
      subject: `A passkey was removed from your ${siteName} account`,
      lines: [
        `A passkey of your ${siteName} account was removed and no longer signs in.`,
        'If it was not you, choose a new password now. That signs out all devices, and revokes all passkeys and API keys.',
      ],
      ...endings.en,
    },
    api_key_created: {
      subject: `An API key was created for your ${siteName} account`,
      lines: [
        `Your ${siteName} account has a new API key, with which a program creates and reads addresses.`,
        'If it was not you, choose a new password now. That signs out all devices, and revokes all passkeys and API keys.',
      ],
      ...endings.en,
    },
    api_key_revoked: {
      subject: `An API key of your ${siteName} account was revoked`,
      lines: [
        `An API key of your ${siteName} account was revoked, with its webhooks. Programs that use it can do nothing more.`,
        'If it was not you, choose a new password now. That signs out all devices, and revokes all passkeys and API keys.',
      ],
      ...endings.en,
    },
    second_factor_locked: {
      subject: `Wrong codes for the operator’s page of ${siteName}`,
      lines: [
        `Somebody who is signed in to your account entered wrong codes for the operator’s page of ${siteName}. No code is taken for 15 minutes.`,
        'If it was not you, choose a new password now. That signs out all devices, and revokes all passkeys and API keys.',
      ],
      ...endings.en,
    },
    account_deleted: {
      subject: `Your ${siteName} account was deleted`,
      lines: [
        `Your ${siteName} account was deleted, with its addresses, passkeys and API keys.`,
        'If it was not you, somebody knew your password or used your device: change that password wherever else you use it.',
      ],
      button: 'Write to us',
      otherwise: endings.en.otherwise,
    },
  }),
  es: siteName => ({
    confirm: {
      subject: `Confirma tu cuenta de ${siteName}`,
      lines: [
        `Alguien, esperamos que tú, se registró en ${siteName} con esta dirección de correo.`,
        'Abre el enlace y escribe la contraseña que elegiste para confirmarla. El enlace sirve una sola vez, durante 24 horas.',
      ],
      button: 'Confirmar mi dirección',
      otherwise: 'Si no fuiste tú, no hagas nada: la cuenta no llegará a abrirse y olvidaremos tu dirección.',
    },
    reset: {
      subject: `Elige una nueva contraseña de ${siteName}`,
      lines: [
        `Alguien, esperamos que tú, pidió una contraseña nueva para la cuenta de ${siteName} de esta dirección de correo.`,
        'Abre el enlace para elegirla. El enlace sirve una sola vez, durante una hora. Se cerrará la sesión en todos tus dispositivos y se revocarán las claves de API.',
      ],
      button: 'Elegir una contraseña nueva',
      otherwise: 'Si no fuiste tú, no hagas nada: tu contraseña no cambia.',
    },
    password_changed: {
      subject: `Se ha cambiado tu contraseña de ${siteName}`,
      lines: [
        `Se ha cambiado la contraseña de tu cuenta de ${siteName}. Se ha cerrado la sesión en los demás dispositivos.`,
        'Si no fuiste tú, elige una nueva ahora. Así también se cierra la sesión de quien la cambió y se revocan todas las llaves de acceso y claves de API.',
      ],
      ...endings.es,
    },
    password_reset: {
      subject: `Se ha elegido una nueva contraseña de ${siteName}`,
      lines: [
        `La contraseña de tu cuenta de ${siteName} se ha elegido con un enlace que enviamos a esta dirección. Se ha cerrado la sesión en todos los dispositivos.`,
        'Si no fuiste tú, alguien lee tu correo: protege primero tu buzón y después elige una contraseña nueva.',
      ],
      ...endings.es,
    },
    passkey_added: {
      subject: `Se ha añadido una llave de acceso a tu cuenta de ${siteName}`,
      lines: [
        `Tu cuenta de ${siteName} tiene una nueva llave de acceso, con la que se entra sin la contraseña.`,
        'Si no fuiste tú, elige una contraseña nueva ahora. Así se cierra la sesión en todos los dispositivos y se revocan todas las llaves de acceso y claves de API.',
      ],
      ...endings.es,
    },
    passkey_removed: {
      subject: `Se ha quitado una llave de acceso de tu cuenta de ${siteName}`,
      lines: [
        `Se ha quitado una llave de acceso de tu cuenta de ${siteName}, con la que ya no se puede entrar.`,
        'Si no fuiste tú, elige una contraseña nueva ahora. Así se cierra la sesión en todos los dispositivos y se revocan todas las llaves de acceso y claves de API.',
      ],
      ...endings.es,
    },
    api_key_created: {
      subject: `Se ha creado una clave de API para tu cuenta de ${siteName}`,
      lines: [
        `Tu cuenta de ${siteName} tiene una nueva clave de API, con la que un programa crea y lee direcciones.`,
        'Si no fuiste tú, elige una contraseña nueva ahora. Así se cierra la sesión en todos los dispositivos y se revocan todas las llaves de acceso y claves de API.',
      ],
      ...endings.es,
    },
    api_key_revoked: {
      subject: `Se ha revocado una clave de API de tu cuenta de ${siteName}`,
      lines: [
        `Se ha revocado una clave de API de tu cuenta de ${siteName}, con sus webhooks. Los programas que la usan ya no pueden hacer nada.`,
        'Si no fuiste tú, elige una contraseña nueva ahora. Así se cierra la sesión en todos los dispositivos y se revocan todas las llaves de acceso y claves de API.',
      ],
      ...endings.es,
    },
    second_factor_locked: {
      subject: `Códigos erróneos para la página de operación de ${siteName}`,
      lines: [
        `Alguien con la sesión iniciada en tu cuenta ha escrito códigos erróneos para la página de operación de ${siteName}. Durante 15 minutos no se acepta ningún código.`,
        'Si no fuiste tú, elige una contraseña nueva ahora. Así se cierra la sesión en todos los dispositivos y se revocan todas las llaves de acceso y claves de API.',
      ],
      ...endings.es,
    },
    account_deleted: {
      subject: `Se ha eliminado tu cuenta de ${siteName}`,
      lines: [
        `Se ha eliminado tu cuenta de ${siteName}, con sus direcciones, llaves de acceso y claves de API.`,
        'Si no fuiste tú, alguien conocía tu contraseña o usó tu dispositivo: cambia esa contraseña en los demás sitios donde la uses.',
      ],
      button: 'Escribirnos',
      otherwise: endings.es.otherwise,
    },
  }),
}

/**
 * A mail with a link, in the reader's language, as plain text and simple HTML.
 * @param link an absolute URL of this site
 */
function linkMail(kind: keyof Templates, to: { email: string; language: Language }, link: string, siteName: string): OutgoingMail {
  const { subject, lines, button, otherwise } = texts[to.language](siteName)[kind]
  const text = [...lines, link, otherwise, siteName].join('\n\n')
  const paragraphs = lines.map(line => `<p>${escapeHtml(line)}</p>`).join('')
  const anchor = `<p><a href="${escapeHtml(link)}">${escapeHtml(button)}</a></p><p style="color:#555;word-break:break-all">${escapeHtml(link)}</p>`
  const html = `<!doctype html><html lang="${to.language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body style="font-family:sans-serif;line-height:1.5;max-width:34em">${paragraphs}${anchor}<p>${escapeHtml(otherwise)}</p><p>${escapeHtml(siteName)}</p></body></html>`
  return { to: to.email, subject, text: `${text}\n`, html, link }
}
