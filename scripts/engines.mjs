// Finds Firefox and WebKit as they are shipped. Where one is missing, or does not start, its specs are skipped and the reason is told:
// only where the whole of `npm test -- --all-browsers` is asked for is anything installed.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { aptInstall } from './browser.mjs'

/** Where Firefox is, as a variable of the environment; or why it cannot be had. */
export async function findFirefox(install) {
  const path = firefoxPath() ?? (install && aptInstall('firefox-esr') ? firefoxPath() : undefined)
  if (path === undefined) return { missing: `no Firefox is installed (FIREFOX_PATH=/path/to/firefox names one); ${howToInstall('firefox-esr')}` }
  const { firefox } = await import('playwright-core')
  try {
    const browser = await firefox.launch({ executablePath: path, channel: 'moz-firefox', timeout: 60_000 })
    console.log(`Firefox ${browser.version()}: ${path}`)
    await browser.close()
    return { env: { FIREFOX_PATH: path } }
  } catch (error) {
    return { missing: `${path} does not start: ${error.message.split('\n')[0]}` }
  }
}

/** WebKit comes with its driver, and needs a screen. */
export async function findWebKit(install) {
  const packages = ['webkit2gtk-driver', 'xvfb']
  const there = () => onPath('WebKitWebDriver') !== undefined && (process.env.DISPLAY !== undefined || onPath('Xvfb') !== undefined)
  if (!there() && !(install && aptInstall(...packages) && there())) return { missing: `no WebKit with a driver is installed; ${howToInstall(...packages)}` }
  const { status, stdout } = spawnSync('WebKitWebDriver', ['--version'], { encoding: 'utf8', timeout: 20_000 })
  if (status !== 0) return { missing: 'WebKitWebDriver does not start' }
  console.log(stdout.trim())
  return {}
}

function firefoxPath() {
  const usual = process.platform === 'darwin' ? ['/Applications/Firefox.app/Contents/MacOS/firefox'] : []
  return [process.env.FIREFOX_PATH, onPath('firefox-esr'), onPath('firefox'), ...usual].find((path) => path && isProgram(path))
}

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, process.platform === 'win32' ? `${name}.exe` : name)).find(isProgram)
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
  return `on Debian, as root, npm test -- --all-browsers does it, or apt-get install ${packages.join(' ')}`
}
