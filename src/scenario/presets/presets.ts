import { same } from '../model/compact.ts'
import type { Micros, Scenario } from '../model/scenario.ts'
import { idealTimes, queues, seatingPresets } from './knownResults.ts'
import { pools } from './pools.ts'
import { constant, exponential, type Preset, presetsOf, stage } from './preset.ts'
import { contentionPresets, realWork, serving } from './serving.ts'

/** For beginners: the run of the front page, the smallest run, and the run of the full page. */
const firstRuns = presetsOf({
  'slow-stage': {
    title: 'A stage gets five times slower',
    about: 'After 50 jobs Enrich takes five times as long. Most workers move there, and come back when another queue grows.',
    seed: 7,
    stages: [
      stage('A', 'Parse', { kind: 'erlang', mean: 10_000, k: 4 }),
      stage('B', 'Validate', { kind: 'erlang', mean: 14_000, k: 4 }),
      { ...stage('C', 'Enrich', { kind: 'erlang', mean: 20_000, k: 4 }), changes: [{ from: 50, service: { kind: 'erlang', mean: 100_000, k: 4 } }] },
      stage('D', 'Write', { kind: 'erlang', mean: 10_000, k: 4 }),
    ],
    source: { kind: 'regular', rate: 120, jobs: 200 },
    workers: 8,
  },
  'worked-example': {
    title: 'Worked example',
    about: 'Three jobs of one second at each of two stages: the two workers stand at A, then one at each, then at B, and all is done after 3 s.',
    stages: [stage('A', 'A', constant(1_000_000)), stage('B', 'B', constant(1_000_000))],
    source: { kind: 'batch', jobs: 3 },
    workers: 2,
    estimator: { kind: 'mean', prior: 'declared' },
  },
  'rush-hour': {
    title: 'Rush hour at the API gateway',
    about: 'Requests come a little faster than eight workers can serve them, and the workers follow the queues until all have left in order.',
    seed: 7,
    stages: [
      stage('A', 'Parse', { kind: 'erlang', mean: 4000, k: 4 }),
      stage('B', 'Validate', exponential(7000)),
      stage('C', 'Enrich', { kind: 'lognormal', mean: 12_000, cv: 0.6 }),
      stage('D', 'Write', { kind: 'erlang', mean: 5000, k: 2 }),
    ],
    source: { kind: 'poisson', rate: 300, jobs: 600 },
    workers: 8,
    order: { kind: 'buffer', slots: 256 },
  },
})

/** The run of the front page, and of the full page without a scenario in its address. */
export const [frontPreset, , defaultPreset] = firstRuns

export const presets: readonly Preset[] = [...firstRuns, ...realWork, ...seatingPresets, ...serving, ...queues, ...contentionPresets, ...pools, ...idealTimes]

export function presetOf(key: string): Preset | undefined {
  return presets.find((each) => each.key === key)
}

/** Returns the instant to look at in a run of this scenario, if it is a preset that names one; else null. */
export function momentOf(scenario: Scenario): Micros | null {
  return presets.find(({ at, scenario: each }) => at !== undefined && same(each, scenario))?.at ?? null
}
