import { readFileSync } from 'node:fs'
import type { LaunchOptions } from 'playwright-core'

const remembered = new URL('../../../node_modules/.cache/apportion/browser.json', import.meta.url)

/**
 * Two hidden pages that Chromium 156 opens for the address bar of each window. They cost as much as a first visit of our page.
 * Chromium uses only the last such list, so features that Playwright turns off and our tests may notice are listed again.
 */
const turnedOff = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'BlockOriginHeaderModificationOnRedirect',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
]

/** Returns the options for the browser that `node scripts/setup.mjs --browser` found. Without one Playwright uses its own. */
export function chromiumOptions(): LaunchOptions {
  const args = [`--disable-features=${turnedOff.join(',')}`]
  try {
    const { path } = JSON.parse(readFileSync(remembered, 'utf8')) as { path: string }
    return { executablePath: path, args }
  } catch {
    return { args }
  }
}
