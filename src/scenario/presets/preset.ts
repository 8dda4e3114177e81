import { t } from '../../language/translate.ts'
import { scenarioDefaults, stageDefaults } from '../model/defaults.ts'
import type { EngineName } from '../model/engines.ts'
import { linearLinks } from '../model/linearStages.ts'
import type { Link, Micros, Scenario, Service, Stage, Work } from '../model/scenario.ts'

export interface Preset {
  readonly key: string
  /** In the current language, as `about` is. */
  readonly title: string
  /** One sentence on what to look for. */
  readonly about: string
  readonly scenario: Scenario
  /** The engine that shows it best; left out: the chosen one. */
  readonly engine?: EngineName
  /** The instant to look at, in the simulated run. */
  readonly at?: Micros
}

/** What a preset sets of its scenario. */
export type PresetScenario = Partial<Scenario> & Pick<Scenario, 'stages' | 'source' | 'workers'>

/** Returns a scenario: a linear pipeline with a core for every worker, unless `asked` differs. */
export function scenarioOf(asked: PresetScenario): Scenario {
  return {
    ...scenarioDefaults,
    version: 1,
    links: linearLinks(asked.stages.map(({ id }) => id)),
    cores: asked.workers,
    ...asked,
  }
}

/** Makes presets, by key. Title and sentence are message keys; links carry the title in English. */
export function presetsOf(
  all: Readonly<Record<string, PresetScenario & Pick<Preset, 'title' | 'about' | 'engine' | 'at'>>>,
): readonly Preset[] {
  return Object.entries(all).map(([key, { about, engine, at, ...asked }]) => ({
    key,
    get title() {
      return t(asked.title)
    },
    get about() {
      return t(about)
    },
    scenario: scenarioOf(asked),
    ...(engine && { engine }),
    ...(at !== undefined && { at }),
  }))
}

/** Stages sleep by default: so a machine with few cores can show many workers. */
export function stage(id: string, name: string, service: Service, work: Work = 'wait'): Stage {
  return { ...stageDefaults, id, name, service, work }
}

/** Returns stages A, B, C and so on, by their names. */
export function stagesOf(services: Readonly<Record<string, Service>>, work?: Work): readonly Stage[] {
  return Object.entries(services).map(([name, service], s) => stage(String.fromCharCode(65 + s), name, service, work))
}

/** Returns links from a text such as `source>A A>B B>sink`. */
export function linksOf(text: string): readonly Link[] {
  return text.split(' ').map((link): Link => {
    const [from, to] = link.split('>')
    return [from, to]
  })
}

export function constant(mean: number): Service {
  return { kind: 'constant', mean }
}

export function exponential(mean: number): Service {
  return { kind: 'exponential', mean }
}

/** For beginners: the run of the front page, the smallest run, and the run of the full page. */
export const firstRuns = presetsOf({
  'slow-stage': {
    title: 'A stage gets five times slower',
    about: 'After 50 jobs most workers move to Enrich.',
    seed: 7,
    stages: [
      stage('A', 'Parse', { kind: 'erlang', mean: 10_000, k: 4 }),
      stage('B', 'Validate', { kind: 'erlang', mean: 14_000, k: 4 }),
      {
        ...stage('C', 'Enrich', { kind: 'erlang', mean: 20_000, k: 4 }),
        changes: [{ from: 50, service: { kind: 'erlang', mean: 100_000, k: 4 } }],
      },
      stage('D', 'Write', { kind: 'erlang', mean: 10_000, k: 4 }),
    ],
    source: { kind: 'batch', jobs: 200 },
    workers: 8,
  },
  'worked-example': {
    title: 'Worked example',
    about: 'Three jobs, two stages of 1 s: two workers need 3 s.',
    stages: stagesOf({ A: constant(1_000_000), B: constant(1_000_000) }),
    source: { kind: 'batch', jobs: 3 },
    workers: 2,
    estimator: { kind: 'mean', prior: 'declared' },
  },
  'rush-hour': {
    title: 'Rush hour at the API gateway',
    about: 'Requests come a little too fast for eight workers.',
    seed: 7,
    stages: stagesOf({
      Parse: { kind: 'erlang', mean: 4000, k: 4 },
      Validate: exponential(7000),
      Enrich: { kind: 'lognormal', mean: 12_000, cv: 0.6 },
      Write: { kind: 'erlang', mean: 5000, k: 2 },
    }),
    source: { kind: 'poisson', rate: 300, jobs: 600 },
    workers: 8,
    order: { kind: 'buffer', slots: 256 },
  },
})

/** The run of the front page, and of the full page without a scenario in its address. */
export const [frontPreset, , defaultPreset] = firstRuns
