/**
 * A state of the site that a visitor can meet, and the way there: pictured by lab/pictures/screenshots.ts, held to its rules by
 * e2e/site/scenes.spec.ts.
 */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { SendMailOptions } from 'nodemailer'
import type { Language } from '#contract/languages.ts'
import type { MailRecorder } from '#test/harness/servers/mail-recorder.ts'
import { createAccount, PASSWORD } from '../harness/account-fixtures.ts'
import { expect } from '../harness/fixtures.ts'
import { untilAlive } from '../harness/pages.ts'
import { addressOn } from '../harness/test-mail.ts'
import type { Words } from './words.ts'

/** A visitor of their own, in one language, in front of a real server. */
export type Stage = {
  readonly page: Page
  readonly language: Language
  readonly words: Words
  /** Delivers through the server's SMTP door. */
  readonly sendMail: (mail: SendMailOptions) => Promise<void>
  /** The relay behind the server, which keeps what accounts and the contact form send. */
  readonly recorder: MailRecorder
}

export type Scene = {
  readonly name: string
  /** Where it begins. Scenes that begin in the same place follow each other in one visit, since the way there is half of their work. */
  readonly begin?: (stage: Stage) => Promise<unknown>
  /** The way from there. */
  readonly arrange: (stage: Stage) => Promise<void>
  /** Back to where it began. Without it, nothing comes after this scene in its visit. */
  readonly leave?: (stage: Stage) => Promise<void>
  /** Pictured only: with its clock stopped a page cannot be tried, and with it running the state is gone. */
  readonly isBrief?: true
  readonly needsServiceWorker?: true
  /** What the console says when the state is one of failure. */
  readonly noise?: readonly RegExp[]
}

/** Begins and arranges. */
export async function enter(scene: Scene, stage: Stage): Promise<void> {
  await scene.begin?.(stage)
  await scene.arrange(stage)
}

/** A beginning for scenes that go to their own page, signed out. */
export async function anywhere(): Promise<void> {
  // They go on from whatever page there is.
}

/** For scenes that leave nothing behind that the next one, on its own page, would show. */
export async function leaveAsItIs(): Promise<void> {
  // The next one goes elsewhere.
}

/** A scene on a page of its own, for somebody who is signed out, that leaves nothing behind. */
export function onOwnPage(scene: Pick<Scene, 'name' | 'arrange' | 'noise'>): Scene {
  return { ...scene, begin: anywhere, leave: leaveAsItIs }
}

/** Closes what is open above the page. */
export async function closeAbove({ page }: Stage): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.locator('dialog[open], [role=menu]')).toHaveCount(0)
}

/** Goes to a page in the language of the stage and waits until it is alive. */
export async function visit({ page, language }: Stage, path: string): Promise<void> {
  const [route = '', fragment] = path.split('#')
  await page.goto(`${route}?lang=${language}${fragment === undefined ? '' : `#${fragment}`}`)
  await untilAlive(page)
}

/** Goes home and answers the address there, once mail for it is pushed. */
export async function visitHome(stage: Stage): Promise<string> {
  await visit(stage, '/')
  const address = await addressOn(stage.page)
  await expect(stage.page.getByTestId('connection-state')).toHaveText(stage.words.inbox.state.live)
  return address
}

/** A name that no other stage on the same server has. */
export const unique = (name: string) => `${name}-${randomUUID().slice(0, 5)}`

/** The address of every account of the scenes. */
export const PRO_EMAIL = /maria\.fernandez-\w+@example\.com/

/** A confirmed account of this visitor, who has been on the site; nobody is signed in yet. */
export async function makeAccount({ page, language, recorder }: Stage): Promise<string> {
  const email = `${unique('maria.fernandez')}@example.com`
  await createAccount(page.request, recorder, email, new URL(page.url()).origin, language)
  return email
}

export async function signIn({ page, words }: Stage, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel(words.auth.email).fill(email)
  await page.getByLabel(words.auth.password).fill(password)
  await page.getByRole('button', { name: words.auth.signIn, exact: true }).click()
}

/** Signs in with an account of its own and stands on the home page, its address switcher in view. */
export async function visitAsPro(stage: Stage): Promise<string> {
  await visit(stage, '/auth')
  const email = await makeAccount(stage)
  await signIn(stage, email)
  await expect(stage.page.getByRole('region', { name: stage.words.account.addresses })).toBeVisible()
  // Signing in makes the first address; whoever leaves before it is there leaves it behind.
  await addressOn(stage.page)
  return email
}

/** The toast stays: to it, somebody's focus rests on it (WCAG 2.2.1). */
export async function expectToast({ page, words }: Stage, text: string): Promise<void> {
  const toast = page.getByRole('region', { name: words.layout.notifications }).locator('[data-toast]').filter({ hasText: text }).last()
  await expect(toast).toBeVisible()
  await toast.dispatchEvent('focusin')
}
