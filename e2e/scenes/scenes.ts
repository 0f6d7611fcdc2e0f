import { accountScenes } from './account-scenes.ts'
import { mailboxScenes } from './mailbox-scenes.ts'
import type { Scene } from './scene.ts'
import { siteScenes } from './site-scenes.ts'

/** Every state of the site that is more than a page as it is served (those are in ../pages.ts). */
export const scenes: readonly Scene[] = [...mailboxScenes, ...accountScenes, ...siteScenes]
