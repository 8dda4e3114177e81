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
  return { ...scenarioDefaults, version: 1, links: linearLinks(asked.stages.map(({ id }) => id)), cores: asked.workers, ...asked }
}

/** Makes presets, by key. Title and sentence are message keys; links carry the title in English. */
export function presetsOf(all: Readonly<Record<string, PresetScenario & Pick<Preset, 'title' | 'about' | 'engine' | 'at'>>>): readonly Preset[] {
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
