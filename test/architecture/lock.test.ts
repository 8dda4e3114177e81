import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { repository } from './sources.ts'

interface Package {
  readonly version?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly integrity?: string
  readonly optionalDependencies?: Record<string, string>
}
type Packages = Record<string, Package>

/**
 * Optional dependencies that are missing in the lock. If a registry lacks the build for one kind of machine, npm
 * writes a lock without it, and `npm ci` then fails on these machines.
 */
function lacking(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !homes(path, name).some((home) => home in packages))
      .map((name) => `${path} names ${name}`),
  )
}

/** The places where Node looks for a package, from the nearest folder outwards. */
function homes(path: string, name: string): string[] {
  const parts = path.split('/node_modules/')
  const nested = parts.map((_, at) => `${parts.slice(0, at + 1).join('/node_modules/')}/node_modules/${name}`)
  return [`node_modules/${name}`, ...nested]
}

/** Each package of a table in CONTRIBUTING.md, with its licences and its purpose. */
function listed(): Map<string, { readonly licences: string; readonly purpose: string }> {
  const text = readFileSync(`${repository}CONTRIBUTING.md`, 'utf8')
  const rows = [...text.matchAll(/^\| (`[^|]+`) \| ([^|]+) \| ([^|]+) \|$/gm)]
  return new Map(
    rows.flatMap(([, names, licences, purpose]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [name, { licences, purpose: purpose.trim() }]),
    ),
  )
}

/** Licences that allow use, changes and redistribution. */
const free =
  /^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|MPL-2\.0|OFL-1\.1|BlueOak-1\.0\.0|MIT OR Apache-2\.0|\(MIT OR CC0-1\.0\))$/

/** Data of a tool that is not shipped with the page: browser support, for the transpiler of the mutation tests. */
const data: Readonly<Record<string, string>> = { 'node_modules/caniuse-lite': 'CC-BY-4.0' }

describe('package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync(`${repository}package-lock.json`, 'utf8')) as { packages: Packages }

  test('has every optional dependency of its packages', () => {
    expect(lacking(packages)).toEqual([])
  })

  test('pins every package by its content', () => {
    const loose = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && integrity === undefined)
    expect(loose.map(([path]) => path)).toEqual([])
  })

  test('has no package with an install script, and none whose licence is not free', () => {
    const named = Object.entries(packages).filter(([path]) => path !== '')
    expect(named.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([])
    expect(
      named
        .filter(([path, { license = 'none' }]) => !free.test(license) && data[path] !== license)
        .map(([path, { license }]) => `${path}: ${license}`),
    ).toEqual([])
  })

  test('each direct dependency is in CONTRIBUTING.md with its licence and a reason, and no other', () => {
    const { dependencies, devDependencies } = packages['']
    const names = Object.keys({ ...dependencies, ...devDependencies })
    const reasons = listed()
    expect([...reasons.keys()].sort()).toEqual(names.sort())
    for (const name of names) {
      expect(reasons.get(name)?.licences.split(', ')).toContain(packages[`node_modules/${name}`].license)
      expect(reasons.get(name)?.purpose).not.toBe('')
    }
  })
})
