import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { root } from './bundle.mjs'

/** The file in a build with the licences of everything in it. */
export const LICENCES = 'licences.txt'

interface Locked {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly version?: string
  readonly license?: string
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

/** Returns our licence, and that of every package of the lock file that is not only for building and testing. */
export function licencesText(): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  const shipped = Object.entries(packages).filter(([path, each]) => path !== '' && !each.dev && !each.devOptional && !each.optional)
  const parts = shipped.map(([path, { version, license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return `${name} ${version} (${license})\n\n${textIn(join(root, path))}`
  })
  return [`Apportion\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}`, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`).concat('\n')
}

/** Returns the texts of the licence files in a folder; for a package without one, its author. */
function textIn(folder: string): string {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)) : []
  if (files.length > 0) return files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
  const { author, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { author?: string | { name?: string }; homepage?: string }
  const by = typeof author === 'object' ? author.name : author
  return `Copyright ${by ?? 'its authors'}${homepage === undefined ? '' : `, ${homepage}`}`
}
