import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { quotedPath } from '../scenario/model/words.ts'
import { Refused } from './command.ts'

/** The package with the built page. Its version is that of this package. */
const PAGE = 'apportion-page'

interface Installed {
  readonly folder: string
  readonly version: string
}

/**
 * Returns the folder of the built page. It is in the package `apportion-page`, beside `script` or beside the current folder, and in a clone in
 * `dist`. `use` is what a person writes behind `apportion` to get here. Throws Refused with what to write if there is no page of this version.
 */
export function builtPage(script: URL, use: string): string {
  const command = packageOf(script)
  if (existsSync(join(command.folder, 'src'))) return builtHere(join(command.folder, 'dist'))
  const found = [script, pathToFileURL(join(process.cwd(), 'any.js'))].flatMap(pagesSeenFrom)
  const page = found.find(({ version }) => version === command.version)
  if (page !== undefined) return page.folder
  const [other] = found
  throw new Refused(
    '',
    other === undefined
      ? `The page is a package of its own: write "npm i ${PAGE}@${command.version}", or "npx -p apportion -p ${PAGE} apportion ${use}".`
      : `${PAGE} has version ${other.version} (in ${quotedPath(other.folder)}) and apportion ${command.version}: write "npm i ${PAGE}@${command.version}".`,
  )
}

function builtHere(folder: string): string {
  if (existsSync(folder)) return folder
  throw new Refused('', `${quotedPath(folder)} holds no built page. Run npm run build first.`)
}

/** Returns the folder and the version of the package that a script is in. */
export function packageOf(script: URL): Installed {
  for (let folder = new URL('.', script); ; folder = new URL('..', folder)) {
    const file = new URL('package.json', folder)
    if (existsSync(file)) return { folder: fileURLToPath(folder), version: versionIn(file) }
    if (folder.pathname === new URL('..', folder).pathname) throw new Error(`${script.href} is in no package`)
  }
}

/** Returns the page that a script at that place could import, if there is one. */
function pagesSeenFrom(place: URL): readonly Installed[] {
  const { resolve } = createRequire(place)
  try {
    return [{ folder: dirname(resolve(`${PAGE}/index.html`)), version: versionIn(resolve(`${PAGE}/package.json`)) }]
  } catch {
    return []
  }
}

function versionIn(file: string | URL): string {
  return JSON.parse(readFileSync(file, 'utf8')).version
}
