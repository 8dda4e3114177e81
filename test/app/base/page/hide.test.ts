import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { controls, readHide } from '../../../../src/app/base/page/hide.ts'
import { repository, sourcePaths } from '../../../architecture/sources.ts'

describe('controls that can be hidden', () => {
  test('are read from a list with commas, each once, and unknown names are reported', () => {
    expect(readHide(' policy,workers ,policy,,')).toEqual({ names: ['policy', 'workers'], problems: [] })
    const { names, problems } = readHide('policy,<img>,constructor')
    expect(names).toEqual(['policy'])
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('“<img>”'),
      expect.stringContaining('“constructor”'),
    ])
    expect(readHide('x'.repeat(1e6)).problems[0].message.length).toBeLessThan(500)
  })

  test('each belong to an element, and no element has another name', () => {
    const text = sourcePaths()
      .filter((path) => /^(app|features)\/.*\.tsx?$/.test(path))
      .map((path) => readFileSync(`${repository}src/${path}`, 'utf8'))
      .join('\n')
    const literals = [
      ...text.matchAll(
        /(?:data-control=|\bcontrol(?:=|: ))["']([^"']+)["']|^const controls: Readonly<Record<\w+, string>> = \{([^}]+)\}$/gm,
      ),
    ]
    const named = literals.flatMap(([, one, list]) =>
      (one ?? [...list.matchAll(/'([^']+)'/g)].map((match) => match[1]).join(' ')).split(' '),
    )
    expect([...new Set(named)].sort()).toEqual([...controls].sort())
  })

  test('may have a name that earlier versions had', () => {
    expect(readHide('parliament, zoom')).toEqual({ names: ['zoom'], problems: [] })
  })

  test('are listed in the documentation', () => {
    const table =
      readFileSync(`${repository}docs/links-and-embedding.md`, 'utf8').match(
        /^\| names for `hide=`.*\n(?:\|.*\n)+/m,
      )?.[0] ?? ''
    const listed = [...table.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)
    expect([...new Set(listed)].filter((name) => name !== 'parliament').sort()).toEqual([...controls].sort())
  })
})
