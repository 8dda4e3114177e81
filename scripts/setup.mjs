// Prepares a fresh clone: checks Node, installs the packages of the lock and, with --browser, finds a browser that starts.
// It runs before the installation, so it imports only modules of Node. It prints nothing if everything is ready.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

checkNode()
const missing = missingPackage()
if (missing) install(missing)
if (process.argv.includes('--browser')) {
  const { prepareBrowser } = await import('./browser.mjs')
  try {
    await prepareBrowser()
  } catch (error) {
    fail(error.message)
  }
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
  if (!fits)
    fail(
      `Apportion needs Node 20.19 or newer (22.12 or newer of the 22s; not 21). This is Node ${process.versions.node}: get one from https://nodejs.org.`,
    )
}

/** Returns the first package that is not installed as in the lock, or undefined. */
function missingPackage() {
  const wanted = packagesOf('package-lock.json')
  const installed = packagesOf('node_modules/.package-lock.json')
  if (!wanted) fail('package-lock.json is missing or unreadable: restore it with git checkout package-lock.json.')
  if (!installed) return 'node_modules'
  return Object.keys(wanted).find((path) => path !== '' && isMissing(path, wanted[path], installed[path]))
}

function isMissing(path, wanted, installed) {
  if (installed)
    return (
      installed.version !== wanted.version || installed.integrity !== wanted.integrity || !existsSync(`${root}/${path}`)
    )
  // npm leaves out optional packages for other machines, and their dependencies.
  return wanted.optional || wanted.devOptional ? isForThisMachine(wanted) : true
}

function isForThisMachine({ os, cpu, libc }) {
  if (!os?.includes(process.platform) || !cpu?.includes(process.arch)) return false
  return !libc || libc.includes(process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl')
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(`${root}/${file}`, 'utf8')).packages
  } catch {
    return undefined
  }
}

function install(why) {
  console.log(`Installing packages (${why} is not as package-lock.json says) ...`)
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const known = npm && /npm-cli\.c?js$/.test(npm)
  const { status } = known
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync(`npm ${args.join(' ')}`, { cwd: root, stdio: 'inherit', shell: true })
  if (status !== 0) fail('npm ci did not succeed: see above. Without packages nothing else can run.')
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
