/** Chromium as the tests start it: what only a person at a screen needs is left out, and names of the tests lead to this machine. */
import type { LaunchOptions } from '@playwright/test'
import { launchOptionsFor } from '../../scripts/chromium.ts'

/** The shell has no window to draw: measured, a page takes half the processor time of the whole browser. */
const base = launchOptionsFor(['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'])

/** A name of the site on plain http, and one of a stranger's server: Chromium finds both on this machine. */
export const PLAIN_HTTP_HOST = 'mayfly.plain.test'
export const STRANGERS_HOST = 'leak.test'

/** Parts of the browser's own window (tab search, side panel, toolbar): each would be a process of its own beside the page under test. */
const WINDOW_FEATURES = [
  'PreloadTopChromeWebUI',
  'PreloadTopChromeWebUILessNavigations',
  'InitialWebUI',
  'WebUIReloadButton',
  'WebUIToolbar',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]
/** Kept ready for the next page; tests open one, and each would pay for two. */
const SPARE_PROCESSES = ['SpareRendererForSitePerProcess']
/** Chromium reads the last list only, so what Playwright turns off stands here again as far as it matters on this machine. */
const PLAYWRIGHT_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
]

export const launchOptions: LaunchOptions = {
  ...base,
  args: [
    ...(base.args ?? []),
    // Without a graphics card Chromium would imitate one: measured, a third of a test's processor time.
    '--disable-gpu',
    '--disable-gpu-rasterization',
    // Measured: a third less for drawing.
    '--disable-threaded-animation',
    '--disable-checker-imaging',
    `--disable-features=${[...PLAYWRIGHT_FEATURES, ...WINDOW_FEATURES, ...SPARE_PROCESSES].join(',')}`,
    `--host-resolver-rules=MAP ${PLAIN_HTTP_HOST} 127.0.0.1, MAP ${STRANGERS_HOST} 127.0.0.1`,
  ],
}
