import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createJourney, extendJourney } from '../../src/measures/jobs/journey.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { countJobs } from '../../src/scenario/model/sources.ts'
import { parseText } from '../../src/scenario/parse/parse.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { repository } from '../architecture/sources.ts'
import { runHere } from '../fixtures/commandHere.ts'
import { inFull } from '../fixtures/extent.ts'

const folder = `${repository}docs/examples/independent/`
const scenarios = JSON.parse(readFileSync(`${folder}scenarios.json`, 'utf8')) as { readonly title: string }[]

/** Plays the scenario on the page's own simulation. Returns a line for each job and stage: job, stage, begin, wait. */
async function playHere(
  given: unknown,
): Promise<{ readonly scenario: Scenario; readonly trace: Trace; readonly lines: readonly string[] }> {
  const parsed = parseText(JSON.stringify(given))
  if ('problems' in parsed)
    throw new Error(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  const trace = await playSimulation(parsed.scenario, 0)
  const lines = Array.from({ length: countJobs(parsed.scenario.source) }, (_, job) => {
    const journey = createJourney(job)
    extendJourney(journey, trace)
    const legs = journey.legs.sort((a, b) => a.stage - b.stage)
    return legs.map(
      ({ stage, queuedAt, startedAt }) =>
        `${job} ${parsed.scenario.stages[stage].id} ${startedAt} ${startedAt - queuedAt}`,
    )
  })
  return { scenario: parsed.scenario, trace, lines: lines.flat() }
}

/** Returns a list for each scenario that the Python program played: its title, then its lines. Throws if the program fails. */
function playThere(file: string): string[][] {
  const { status, stdout, stderr } = spawnSync('python3', [`${folder}simulate.py`, file], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
    .split(/^# /m)
    .slice(1)
    .map((text) => text.trimEnd().split('\n'))
}

const missing = !inFull
  ? 'runs in npm run test:all'
  : spawnSync('python3', ['--version']).status !== 0
    ? 'python3 is not installed'
    : ''

describe('a program in Python that follows the documentation', () => {
  test('finds the same begin and wait of each job at each stage in 30 scenarios', { timeout: 60_000 }, async ({
    skip,
  }) => {
    skip(missing !== '', missing)
    const theirs = playThere(`${folder}scenarios.json`)
    expect(scenarios).toHaveLength(30)
    expect(theirs).toHaveLength(30)
    for (const [i, scenario] of scenarios.entries()) {
      const { trace, lines } = await playHere(scenario)
      expect(trace.ending, scenario.title).toBe('drained')
      expect(theirs[i], scenario.title).toEqual([scenario.title, ...lines])
    }
  })

  test('finds them too with the random arrivals and service times of a trace', { timeout: 60_000 }, async ({
    skip,
  }) => {
    skip(missing !== '', missing)
    const file = join(mkdtempSync(join(tmpdir(), 'apportion-')), 'trace.json')
    onTestFinished(() => rmSync(dirname(file), { recursive: true }))
    for (const example of ['web-shop', 'rush-hour']) {
      const path = `${repository}docs/examples/${example}.json`
      expect((await runHere('headless', path, '--trace', file)).err).toBe('')
      const { scenario, lines } = await playHere(JSON.parse(readFileSync(path, 'utf8')))
      expect(lines.length).toBeGreaterThan(1_500)
      expect(playThere(file)).toEqual([[scenario.title, ...lines]])
    }
  })
})
