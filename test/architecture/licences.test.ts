import { expect, test } from 'vitest'
import { licencesText } from '../../scripts/licences.ts'
import { importsOf, sources } from './sources.ts'

const parts = licencesText().split(`\n\n${'-'.repeat(80)}\n\n`)

test('a build contains the licence of every package in it, and its own', () => {
  const named = parts.map((part) => part.split('\n')[0].split(' ')[0])
  expect(named[0]).toBe('Apportion')
  const imported = sources()
    .flatMap(importsOf)
    .filter((from) => !/^(\.|node:)/.test(from))
    .map((from) => from.split('/', from.startsWith('@') ? 2 : 1).join('/'))
  expect(imported).toContain('@fontsource-variable/inter')
  expect(imported.filter((name) => !named.includes(name))).toEqual([])
  // Includes their own dependencies.
  expect(named).toContain('scheduler')
  expect(named).not.toContain('vitest')
})

test('each names its author and its permissions', () => {
  for (const part of parts) expect(part).toMatch(/copyright/i)
  const silent = parts
    .filter((part) => !/permission|license/i.test(part.split('\n').slice(1).join('\n')))
    .map((part) => part.split('\n')[0])
  expect(silent).toEqual([])
})
