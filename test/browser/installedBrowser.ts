import { readFileSync } from 'node:fs'

const remembered = new URL('../../node_modules/.cache/apportion/browser.json', import.meta.url)

/** Path of the browser that `node scripts/setup.mjs --browser` found, or undefined: then Playwright looks for its own. */
export function installedBrowser(): string | undefined {
  try {
    const { path } = JSON.parse(readFileSync(remembered, 'utf8')) as { path: string }
    return path
  } catch {
    return undefined
  }
}
