import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programs } from './programs.ts'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

export interface Told {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** Runs a program to its end. It knows nothing of the tests. */
export function ran(
  cwd: string,
  file: string,
  words: readonly string[],
  input = '',
  env: NodeJS.ProcessEnv = {},
): Promise<Told> {
  return new Promise((resolve) => {
    const options = { cwd, maxBuffer: 1 << 28, env: { ...clean(), ...env } }
    const child = execFile(file, words, options, (error, out, err) =>
      resolve({ status: error === null ? 0 : Number(error.code), out, err }),
    )
    // A program may end before it has read its input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** npm tells those that it starts about itself, and a program would believe it. */
function clean(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_|DISPLAY|WAYLAND)/.test(name)),
  )
}

/** Starts a program that goes on. Returns it with what it has printed so far; it is ended by `kill`. */
export function begun(
  cwd: string,
  file: string,
  words: readonly string[],
): { readonly child: ChildProcess; readonly said: () => string } {
  const child = spawn(file, words, { cwd, env: clean(), stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (part) => (said += part))
  return { child, said: () => said }
}

/** What `npm pack --json` says of a package. */
export interface Packed {
  readonly filename: string
  readonly unpackedSize: number
}

/**
 * Packs both packages as `npm pack` does and installs the one without the page into an empty folder outside the repository, with the programs
 * beside it.
 */
export async function installPacked(): Promise<{ folder: string; apportion: Packed; page: Packed }> {
  const folder = mkdtempSync(join(tmpdir(), 'apportion-package-'))
  const pack = async (source: string): Promise<Packed> => {
    const words = ['pack', source, '--json', '--pack-destination', folder]
    const { status, out, err } = await ran(repository, 'npm', words, '', {
      APPORTION_SITE: process.env.APPORTION_SITE ?? '',
    })
    if (status !== 0) throw new Error(`npm pack ${source} failed: ${out}${err}`)
    return JSON.parse(out)[0]
  }
  // The first builds what the second packs.
  const apportion = await pack('.')
  const page = await pack('./packed-page')
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text)
  await install(folder, apportion)
  return { folder, apportion, page }
}

/** Installs a packed package from its file, without a network. */
export async function install(folder: string, { filename }: Packed): Promise<void> {
  const words = ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`]
  const { status, err } = await ran(folder, 'npm', words)
  if (status !== 0) throw new Error(`npm install failed: ${err}`)
}

/** Tools that the project itself has no use for. They are fetched once, by version. */
const tools = [
  'esbuild@0.28.2',
  'webpack@5.113.0',
  'publint@0.3.25',
  '@arethetypeswrong/cli@0.18.5',
  'typescript@5.9.3',
]

/** Returns the folder of the tools, or null where they cannot be fetched. */
export async function fetchTools(): Promise<string | null> {
  const home = join(
    repository,
    'node_modules/.cache/apportion/package-tools',
    tools.join('+').replaceAll(/[^\w+.-]/g, '-'),
  )
  const modules = join(home, 'node_modules')
  const done = join(home, 'done')
  if (existsSync(done)) return modules
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  const { status, err } = await ran(home, 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...tools])
  if (status === 0) writeFileSync(done, '')
  else console.warn(`The tools for the package cannot be fetched, so bundlers are left out: ${err}`)
  return status === 0 ? modules : null
}

/** Returns this Node, and one of each newer major version that a version manager has installed. */
export function nodes(): readonly (readonly [version: string, file: string])[] {
  const homes = [
    '.nvm/versions/node',
    '.local/share/fnm/node-versions',
    '.volta/tools/image/node',
    'n/n/versions/node',
  ].map((path) => join(homedir(), path))
  const found = new Map<string, string>()
  for (const home of [...homes, '/usr/local/n/versions/node'].filter(existsSync)) {
    for (const version of readdirSync(home)) {
      const file = [join(home, version, 'bin/node'), join(home, version, 'installation/bin/node')].find(existsSync)
      const [major] = /\d+/.exec(version) ?? ['']
      if (file !== undefined && Number(major) > 20) found.set(major, file)
    }
  }
  found.set(process.versions.node.split('.')[0], process.execPath)
  return [...found]
}
