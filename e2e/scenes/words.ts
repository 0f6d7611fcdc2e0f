/** Every text of the site in one language, for tests that run in both. */
import type { Language } from '#contract/languages.ts'
import { catalogs, type Texts } from '#web/texts/catalog.ts'

export type Words = Texts

export async function loadWords(language: Language): Promise<Words> {
  const load = catalogs[language]
  const [core, errors, homeSections, mailboxDialogs, message, auth, account, contact, operator, report, blog, notFound, privacy, terms] =
    await Promise.all([
      load.core(),
      load.errors(),
      load.homeSections(),
      load.mailboxDialogs(),
      load.message(),
      load.auth(),
      load.account(),
      load.contact(),
      load.operator(),
      load.report(),
      load.blog(),
      load.notFound(),
      load.privacy(),
      load.terms(),
    ])
  return {
    ...core,
    errors,
    homeSections,
    mailboxDialogs,
    message,
    auth,
    account,
    contact,
    operator,
    report,
    blog,
    notFound,
    privacy,
    terms,
  }
}
