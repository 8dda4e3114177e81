import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { root } from './bundle.mjs'

/** The file in a build with the licences of everything in it. */
export const LICENCES = 'licences.txt'

/** What the sources import, and so becomes part of what we give away. A test compares it with them. */
const shipped = [
  ...['autocomplete', 'commands', 'lang-json', 'language', 'lint', 'search', 'state', 'view'].map(
    (name) => `@codemirror/${name}`,
  ),
  ...[
    'array',
    'axis',
    'color',
    'drag',
    'ease',
    'format',
    'interpolate',
    'path',
    'scale',
    'selection',
    'shape',
    'zoom',
  ].map((name) => `d3-${name}`),
  ...[
    '@fontsource-variable/inter',
    '@jitl/quickjs-wasmfile-release-sync',
    '@lezer/highlight',
    '@noble/hashes',
    '@xyflow/react',
    'aedes',
    'comlink',
  ],
  ...['fflate', 'idb', 'lean-qr', 'mqtt', 'quickjs-emscripten-core', 'react', 'react-dom', 'valibot', 'ws', 'zustand'],
]

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Writes the licences of the packages that are shipped with the page into the build. */
export function licences(): Plugin {
  return {
    name: 'apportion-licences',
    apply: 'build',
    generateBundle(_, bundle) {
      // Another page, such as one of a benchmark, is not distributed.
      if ('sw.js' in bundle) this.emitFile({ type: 'asset', fileName: LICENCES, source: licencesText() })
    },
  }
}

/** Returns our licence, and that of every package that is shipped, with those that these depend on. */
export function licencesText(): string {
  const packages = locked()
  const paths = new Set(shipped.map((name) => `node_modules/${name}`))
  for (const path of paths)
    for (const name of Object.keys(packages[path].dependencies ?? {})) paths.add(homeOf(path, name, packages))
  return licencesOf(paths)
}

/** Returns our licence, and those of the packages in these folders, which begin with `node_modules/`. */
export function licencesOf(paths: Iterable<string>): string {
  const packages = locked()
  const parts = [...paths].sort().map((path) => {
    const { version, license } = packages[path]
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return `${name} ${version} (${license})\n\n${textIn(join(root, path))}`
  })
  return [`Apportion\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}`, ...parts]
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n')
}

function locked(): Record<string, Locked> {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

/** Returns where Node finds a package that the one at `path` depends on. */
function homeOf(path: string, name: string, packages: Readonly<Record<string, Locked>>): string {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const home = `${folder}/node_modules/${name}`.replace(/^\//, '')
    if (home in packages) return home
    if (folder === '') throw new Error(`package-lock.json has no ${name}, which ${path} depends on`)
  }
}

/** Returns the texts of the licence files in a folder; of a package without one, who wrote it. */
function textIn(folder: string): string {
  const files = existsSync(folder)
    ? readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    : []
  if (files.length > 0) return files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
  const { author, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    author?: string | { name?: string }
    homepage?: string
  }
  const by = typeof author === 'object' ? author.name : author
  return `Copyright ${by ?? 'its authors'}${homepage === undefined ? '' : `, ${homepage}`}`
}
