import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { repository } from './sources.ts'

interface Package {
  readonly version?: string
  readonly integrity?: string
  readonly optionalDependencies?: Record<string, string>
}
type Packages = Record<string, Package>

/**
 * Optional packages that another one names and the lock lacks. Where a registry lacks the build for one kind of machine, npm
 * writes a lock without it, and `npm ci` is then broken on just those machines.
 */
function lacking(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !homes(path, name).some((home) => home in packages))
      .map((name) => `${path} names ${name}`),
  )
}

/** Where Node would look for a package, from the nearest folder outwards. */
function homes(path: string, name: string): string[] {
  const parts = path.split('/node_modules/')
  const nested = parts.map((_, at) => `${parts.slice(0, at + 1).join('/node_modules/')}/node_modules/${name}`)
  return [`node_modules/${name}`, ...nested]
}

describe('package-lock.json', () => {
  const { packages } = JSON.parse(readFileSync(`${repository}package-lock.json`, 'utf8')) as { packages: Packages }

  test('has every optional package that one of its packages names', () => {
    expect(lacking(packages)).toEqual([])
  })

  test('pins every package by its content', () => {
    const loose = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && integrity === undefined)
    expect(loose.map(([path]) => path)).toEqual([])
  })

  test('would be found out if it lacked one', () => {
    const tool = { 'node_modules/tool': { optionalDependencies: { 'tool-mac': '1', 'tool-linux': '1' } } }
    expect(lacking({ ...tool, 'node_modules/tool-linux': {} })).toEqual(['node_modules/tool names tool-mac'])
    expect(lacking({ ...tool, 'node_modules/tool-linux': {}, 'node_modules/tool/node_modules/tool-mac': {} })).toEqual([])
  })
})
