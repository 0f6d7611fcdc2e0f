/** Records desktop notifications instead of showing them, because the headless shell refuses them regardless of permissions. */
import type { Page } from '@playwright/test'

/**
 * `answer` is the browser's permission until it is asked, and then it grants it. The page counts as hidden, as behind another window,
 * unless `isLookedAt` is set in it.
 */
export async function recordNotifications(page: Page, answer: 'default' | 'granted' = 'default'): Promise<void> {
  await page.addInitScript(first => {
    const shown: object[] = []
    let permission: NotificationPermission = first
    class Recording extends window.Notification {
      static override get permission() {
        return permission
      }

      static override requestPermission() {
        permission = 'granted'
        return Promise.resolve(permission)
      }

      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        shown.push({ title, body: options?.body })
      }
    }
    Object.assign(window, { shown, Notification: Recording })
    Object.defineProperty(document, 'visibilityState', { get: () => (Reflect.get(window, 'isLookedAt') ? 'visible' : 'hidden') })
  }, answer)
}

export const shownNotifications = (page: Page) => page.evaluate(() => Reflect.get(window, 'shown'))
