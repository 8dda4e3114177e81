import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { elementOf, frameText } from '../../src/app/share/dialog/ShareDialog.tsx'
import { readFile, writeFile } from '../../src/features/library/page/exchange.ts'
import { fresh, keptText } from '../../src/features/library/records/entries.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { readFragment, toJsonFragment, toShortFragment } from '../../src/scenario/link/codec.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { presets } from '../../src/scenario/presets/presets.ts'
import { readTraceJson } from '../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../src/trace/formats/traceJson.ts'
import { anyScenario } from '../fixtures/anyScenario.ts'
import { seededScenario } from '../fixtures/seededScenarios.ts'
import { digestOf } from '../trace/digestOf.ts'

const here = (name: string) => new URL(name, import.meta.url)
const files = readdirSync(here('.'))
const text = (name: string) => readFileSync(here(name), 'utf8')

/** A link, and the digest of its run. */
interface Kept {
  readonly link: string
  readonly run: string
}

describe('what was made by an earlier version', () => {
  test.each(files.filter((name) => /^links-\d+\.json$/.test(name)))(
    '%s: each link opens without a problem and plays the same run',
    async (name) => {
      const links = JSON.parse(text(name)) as readonly Kept[]
      expect(links.length).toBeGreaterThan(100)
      const other: string[] = []
      for (const { link, run } of links) {
        const read = readFragment(link)
        if (read.found !== 'scenario' || read.problems.length > 0)
          other.push(`${link}: ${JSON.stringify(read).slice(0, 200)}`)
        else if (digestOf(await playSimulation(read.scenario, 0)) !== run)
          other.push(`${link}: another run of "${read.scenario.title}"`)
      }
      expect(other).toEqual([])
    },
  )

  test.each(files.filter((name) => /^trace-\d+-.*\.json$/.test(name)))('%s: the trace opens, row for row', (name) => {
    const read = readTraceJson(text(name))
    if ('problems' in read) expect.fail(JSON.stringify(read.problems))
    expect(name).toContain(digestOf(read.trace))
    expect(readTraceJson([...writeTraceJson(read.trace)].join(''))).not.toHaveProperty('problems')
  })

  test.each(files.filter((name) => /^library-\d+\.json$/.test(name)))(
    '%s: the file of scenarios opens, with every scenario and its date',
    (name) => {
      const given = JSON.parse(text(name)) as {
        readonly scenarios: readonly { readonly changed: number; readonly scenario: { readonly title: string } }[]
      }
      const { entries, problems } = readFile(text(name))
      expect(problems).toEqual([])
      expect(entries.map(({ changed, text }) => [changed, JSON.parse(text).title])).toEqual(
        given.scenarios.map(({ changed, scenario }) => [changed, scenario.title]),
      )
    },
  )

  test.each(files.filter((name) => /^embed-\d+\.html$/.test(name)))(
    '%s: each frame and element shows a scenario of the corpus',
    (name) => {
      const sources = [...text(name).matchAll(/ (?:scenario|src|href)="([^"]*#[^"]*)"/g)].map(([, address]) =>
        address.replaceAll('&amp;', '&'),
      )
      expect(sources.length).toBeGreaterThan(1)
      for (const address of sources) {
        const read = readFragment(new URL(address, 'https://example.org/').hash)
        expect(read).toMatchObject({ found: 'scenario', problems: [] })
      }
    },
  )
})

/** With `APPORTION_CORPUS=2` the files of version 2 are written beside those of version 1. None is ever written again. */
const next = process.env.APPORTION_CORPUS
test.runIf(next !== undefined)('the corpus grows', { timeout: 600_000 }, async () => {
  const add = (name: string, parts: Iterable<string>) => {
    if (existsSync(here(name))) throw new Error(`${name} is there: a file of the corpus never changes`)
    writeFileSync(here(name), [...parts].join(''))
  }
  const drawn = fc.sample(anyScenario({ graphs: true, code: false }), { numRuns: 150, seed: 26 })
  const links: Kept[] = []
  const keep = async (link: string, scenario: Scenario) =>
    links.push({ link, run: digestOf(await playSimulation(scenario, 0)) })
  for (const { scenario } of presets) await keep(toShortFragment(scenario), scenario)
  for (const scenario of [...Array.from({ length: 120 }, (_, k) => seededScenario(k)), ...drawn])
    await keep(toShortFragment(scenario), scenario)
  for (const { scenario } of presets.slice(0, 5)) await keep(toJsonFragment(scenario), scenario)
  add(`links-${next}.json`, [`[\n${links.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`])
  const kept = presets.slice(0, 8).map(({ scenario }) => fresh(keptText(scenario)))
  add(`library-${next}.json`, writeFile(kept))
  for (const [k, scenario] of drawn.slice(0, 8).entries()) {
    const trace = await playSimulation(scenario, 0)
    add(`trace-${next}-${k}-${digestOf(trace)}.json`, writeTraceJson(trace))
  }
  const page = 'https://example.org/play/'
  add(
    `embed-${next}.html`,
    links
      .slice(0, 4)
      .flatMap(({ link }) => [`${elementOf(page, link, 'A run')}\n`, `${frameText(page, link, 'A run')}\n`]),
  )
})
