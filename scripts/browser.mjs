// Finds a Chromium that Playwright can launch, or installs one, and remembers it for the tests and the benchmarks.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const memory = join(root, 'node_modules/.cache/apportion/browser.json')

const windows = process.platform === 'win32'
const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'msedge',
]

/** Returns the path of the browser that `prepareBrowser` found earlier, or undefined. */
export function browserPath() {
  return recall()?.path
}

/** Finds, checks and remembers a browser. Throws an Error with advice if there is none. */
export async function prepareBrowser() {
  const known = recall()
  const asked = process.env.CHROME_PATH
  if (known && (!asked || asked === known.path)) return
  const found = await firstThatStarts(candidates())
  if (!found) throw new Error(howToGetOne)
  mkdirSync(dirname(memory), { recursive: true })
  writeFileSync(memory, `${JSON.stringify({ path: found, stamp: stampOf(found) })}\n`)
  console.log(`Browser for the tests: ${found}`)
}

const howToGetOne = `No browser was found that starts. The browser tests need a Chromium; get one in any of these ways and run the command again:
  npx playwright install --with-deps chromium
  apt-get install chromium          (Debian, as root; on Ubuntu this is a snap, which does not work here)
  CHROME_PATH=/path/to/chrome npm test`

/** Paths in order of preference. The last two are installed on demand. */
function* candidates() {
  if (process.env.CHROME_PATH) yield process.env.CHROME_PATH
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  for (const name of names) for (const folder of folders) yield join(folder, windows ? `${name}.exe` : name)
  yield* usualPlaces()
  yield 'playwright'
  if (aptInstall('chromium')) yield '/usr/bin/chromium'
  if (playwrightInstall()) yield 'playwright'
}

function usualPlaces() {
  if (process.platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge']
    return ['', process.env.HOME ?? ''].flatMap((home) =>
      apps.map((app) => `${home}/Applications/${app}.app/Contents/MacOS/${app}`),
    )
  }
  if (windows) {
    const bases = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(Boolean)
    return bases.flatMap((base) => [
      `${base}\\Google\\Chrome\\Application\\chrome.exe`,
      `${base}\\Microsoft\\Edge\\Application\\msedge.exe`,
    ])
  }
  return ['/usr/lib/chromium/chromium', '/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge']
}

/** Installs the newest system packages as administrator. Returns whether that succeeded. */
export function aptInstall(...packages) {
  if (process.platform !== 'linux' || process.getuid() !== 0) return false
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  console.log(`Trying apt-get install ${packages.join(' ')} ...`)
  // A container may have no package lists, or old ones. Without a network the old ones may be enough.
  apt('update')
  return apt('install', '-y', '--no-install-recommends', ...packages)
}

function playwrightInstall() {
  console.log('No browser yet: trying npx playwright install chromium ...')
  const cli = join(root, 'node_modules/playwright/cli.js')
  return spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit' }).status === 0
}

async function firstThatStarts(paths) {
  const { chromium } = await import('playwright-core')
  const tried = new Set()
  for (const candidate of paths) {
    const path = candidate === 'playwright' ? chromium.executablePath() : candidate
    const stamp = stampOf(path)
    // A file that did not start is tried again only if an installation has changed it.
    if (!stamp || tried.has(`${path} ${stamp}`)) continue
    tried.add(`${path} ${stamp}`)
    try {
      const browser = await chromium.launch({ executablePath: path, timeout: 30_000 })
      await browser.newPage()
      await browser.close()
      return path
    } catch (error) {
      console.error(`${path} does not start: ${error.message.split('\n')[0]}`)
    }
  }
}

/** Returns a text that changes when the file is replaced, or undefined if there is no file. */
function stampOf(path) {
  const file = statSync(path, { throwIfNoEntry: false })
  return file?.isFile() ? `${file.size} ${file.mtimeMs}` : undefined
}

function recall() {
  try {
    const known = JSON.parse(readFileSync(memory, 'utf8'))
    return stampOf(known.path) === known.stamp ? known : undefined
  } catch {
    return undefined
  }
}
