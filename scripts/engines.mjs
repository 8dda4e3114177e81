// Finds Firefox and WebKit as Debian ships them. If one is missing or does not start, its tests are skipped and the reason is printed;
// only --all-browsers installs anything. They are tested on Linux only, where the threads of a page can be counted (/proc).
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { aptInstall } from './browser.mjs'

/** Returns the path of Firefox as an environment variable, or why it is missing. */
export async function findFirefox(install) {
  if (process.platform !== 'linux') return { missing: 'Firefox is tested on Linux alone' }
  const { firefox } = await import('playwright-core')
  let missing = 'no Firefox is installed (FIREFOX_PATH=/path/to/firefox names one)'
  for (const path of firefoxPaths(install)) {
    try {
      const browser = await firefox.launch({ executablePath: path, channel: 'moz-firefox', timeout: 60_000 })
      console.log(`Firefox ${browser.version()}: ${path}`)
      await browser.close()
      return { env: { FIREFOX_PATH: path } }
    } catch (error) {
      missing = `${path} does not start, or is too old to be driven: ${error.message.split('\n')[0]}`
    }
  }
  return { missing: `${missing}; ${howToInstall('firefox-esr')}` }
}

/** Yields the Firefox on this machine, then the one that is installed on demand. */
function* firefoxPaths(install) {
  const here = () =>
    [process.env.FIREFOX_PATH, onPath('firefox-esr'), onPath('firefox')]
      .filter((path) => path && isProgram(path))
      .slice(0, 1)
  yield* here()
  if (install && aptInstall('firefox-esr')) yield* here()
}

/** Returns why WebKit is missing, or undefined. It comes with its driver and needs a screen. */
export async function findWebKit(install) {
  if (process.platform !== 'linux') return { missing: 'WebKit is tested on Linux alone' }
  const packages = ['webkit2gtk-driver', 'xvfb']
  const there = () =>
    onPath('WebKitWebDriver') !== undefined && (process.env.DISPLAY !== undefined || onPath('Xvfb') !== undefined)
  if (!there() && !(install && aptInstall(...packages) && there()))
    return { missing: `no WebKit with a driver is installed; ${howToInstall(...packages)}` }
  // It has no --version option. A missing library is reported at once.
  const { error } = spawnSync('WebKitWebDriver', ['--help'], { stdio: 'ignore', timeout: 20_000 })
  if (error) return { missing: `WebKitWebDriver does not start: ${error.message}` }
  return {}
}

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function howToInstall(...packages) {
  return `on Debian, as root, npm test -- --all-browsers installs it, or apt-get install ${packages.join(' ')}`
}
