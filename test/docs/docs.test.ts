import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lessons } from '../../src/features/lessons/content/lessons.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { readFragment } from '../../src/scenario/link/codec.ts'
import { policies } from '../../src/scenario/model/policies.ts'
import { parseText } from '../../src/scenario/parse/parse.ts'
import { repository } from '../architecture/sources.ts'
import { runHere } from '../fixtures/commandHere.ts'
import { anchorsOf, pages, targetsIn } from './pages.ts'

const all = pages()
const blocks = all.flatMap(({ path, blocks }) => blocks.map((block) => ({ ...block, place: `${path}:${block.line}` })))
const inLanguage = (language: string) => blocks.filter((block) => block.language === language)
const pageAt = (path: string) => all.find((page) => page.path === path)

describe('the documentation', () => {
  test('has links that lead to a file, and to a heading where they name one', () => {
    const broken = all.flatMap((page) =>
      targetsIn(page)
        .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(page.path, target))
        .map((target) => `${page.path}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  test('names files that exist', () => {
    const own = all.filter(({ path }) => !path.startsWith('src/'))
    const named = own.flatMap(({ path, prose }) =>
      [...prose.matchAll(/`((?:src|test|docs|scripts|public)\/[\w./-]+)`/g)].map(([, file]) => ({ path, file })),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(({ file }) => !existsSync(repository + file))).toEqual([])
  })

  test('has a README of at most 150 lines, and an index that names every page', () => {
    expect(pageAt('README.md')?.text.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
    const listed = targetsIn(pageAt('docs/README.md')!)
    const written = all.map(({ path }) => path).filter((path) => /^docs\/(?!README)[^/]+$/.test(path))
    expect(written.filter((path) => !listed.includes(posix.basename(path)))).toEqual([])
  })

  test('has pictures that are quick to load: below 150 kB, 300 kB for the one that moves', () => {
    const pictures = all.flatMap((page) =>
      targetsIn(page)
        .filter((target) => /\.(png|svg|webp)$/.test(target))
        .map((target) => pathFrom(page.path, target)),
    )
    expect(pictures.length).toBeGreaterThanOrEqual(6)
    expect(
      pictures.filter((path) => statSync(repository + path).size > (path.endsWith('run.svg') ? 300_000 : 150_000)),
    ).toEqual([])
  })

  test('names every policy as the page does, and every lesson', () => {
    const rows = pageAt('docs/policies.md')!.text
    const unnamed = Object.entries(policies).filter(
      ([kind, { name }]) => !new RegExp(`^\\| .*\`${kind}\\b.*\\| .*${name()}.* \\|`, 'm').test(rows),
    )
    expect(unnamed.map(([kind]) => kind)).toEqual([])
    const row = pageAt('docs/links-and-embedding.md')!.text.match(/^\| `\?lesson=`.*$/m)?.[0] ?? ''
    expect([...row.matchAll(/`([a-z-]+)`/g)].map(([, key]) => key)).toEqual(lessons.map(({ key }) => key))
  })
})

describe('an example in the documentation', () => {
  test.each(inLanguage('json'))('is a scenario that runs to its end: $place', async ({ text }) => {
    const parsed = parseText(text)
    if ('problems' in parsed)
      throw new Error(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'))
    expect((await playSimulation(parsed.scenario, 0)).ending).toBe('drained')
  })

  test.each(readdirSync(`${repository}docs/examples`).filter((name) => name.endsWith('.json')))(
    'is a file with a scenario that runs to its end: %s',
    async (file) => {
      const parsed = parseText(readFileSync(`${repository}docs/examples/${file}`, 'utf8'))
      expect(parsed).toHaveProperty('scenario')
      if ('scenario' in parsed) expect((await playSimulation(parsed.scenario, 0)).ending).toBe('drained')
    },
  )

  test.each(inLanguage('jsonc'))('is a piece of JSON: $place', ({ text }) => {
    expect(() => JSON.parse(text.trimStart().startsWith('"') ? `{${text}}` : text)).not.toThrow()
  })

  test('is a link that opens a scenario which runs to its end', async () => {
    const links = all.flatMap(({ text }) => text.match(/#(?:json|s)=[\w%~!*'()&=,-]{9,}/g) ?? [])
    expect(links.length).toBeGreaterThanOrEqual(1)
    for (const link of links) {
      const read = readFragment(link)
      expect(read).toMatchObject({ found: 'scenario', problems: [] })
      if (read.found === 'scenario') expect((await playSimulation(read.scenario, 0)).ending).toBe('drained')
    }
  })

  const commands = inLanguage('console').map((block) => ({ ...block, command: block.text.split('\n')[0] }))
  test.each(commands)('prints what the page says: $place, $command', async ({ text, command }) => {
    const [, words] = command.match(/^\$ npm run -s headless -- (.+)$/) ?? []
    expect(words, 'only the headless command can be checked').toBeDefined()
    const { out, err } = await runHere(
      'headless',
      ...(words.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", '')),
    )
    expect((out + err).trimEnd()).toBe(text.slice(command.length + 1))
  })
})

function leadsSomewhere(from: string, target: string): boolean {
  const [file, anchor] = target.split('#')
  const path = file === '' ? from : pathFrom(from, file)
  if (!existsSync(repository + path)) return false
  if (anchor === undefined) return true
  const page = pageAt(path)
  return page !== undefined && anchorsOf(page).has(anchor)
}

function pathFrom(page: string, target: string): string {
  return posix.join(dirname(page), target)
}
