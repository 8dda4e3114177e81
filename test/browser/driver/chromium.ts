import { readFileSync } from 'node:fs'
import type { LaunchOptions } from 'playwright-core'

const remembered = new URL('../../../node_modules/.cache/apportion/browser.json', import.meta.url)

/**
 * Two pages that Chromium 156 opens for the address bar of each window; nobody sees them, and they cost as much as the first visit of ours.
 * Of several such lists Chromium takes the last, so those that Playwright turns off and our tests may notice are named again.
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

/** Returns how the browser is started that `node scripts/setup.mjs --browser` found. Where it found none Playwright looks for its own. */
export function chromiumOptions(): LaunchOptions {
  const args = [`--disable-features=${turnedOff.join(',')}`]
  try {
    const { path } = JSON.parse(readFileSync(remembered, 'utf8')) as { path: string }
    return { executablePath: path, args }
  } catch {
    return { args }
  }
}
