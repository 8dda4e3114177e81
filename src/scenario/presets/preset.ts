import { t } from '../../language/translate.ts'
import { scenarioDefaults, stageDefaults } from '../model/defaults.ts'
import type { EngineName } from '../model/engines.ts'
import { linearLinks } from '../model/linearStages.ts'
import type { Micros, Scenario, Service, Stage, Work } from '../model/scenario.ts'

export interface Preset {
  readonly key: string
  /** In the current language, as `about` is. */
  readonly title: string
  /** One sentence on what to look for. */
  readonly about: string
  readonly scenario: Scenario
  /** The engine that shows it best; left out: the chosen one. */
  readonly engine?: EngineName
  /** When to look, in the simulated run. */
  readonly at?: Micros
}

/** What a preset sets of its scenario. */
export type PresetScenario = Partial<Scenario> & Pick<Scenario, 'stages' | 'source' | 'workers'>

/**
 * Makes a preset: a linear pipeline with a core for every worker, unless `asked` differs. Title and sentence are message keys; links
 * carry the title in English.
 */
export function preset(key: string, title: string, about: string, asked: PresetScenario, show: Pick<Preset, 'engine' | 'at'> = {}): Preset {
  const links = linearLinks(asked.stages.map(({ id }) => id))
  return {
    key,
    get title() {
      return t(title)
    },
    get about() {
      return t(about)
    },
    scenario: { ...scenarioDefaults, version: 1, title, links, cores: asked.workers, ...asked },
    ...show,
  }
}

/** Stages sleep by default: so a machine with few cores can show many workers. */
export function stage(id: string, name: string, service: Service, work: Work = 'wait'): Stage {
  return { ...stageDefaults, id, name, service, work }
}

export function constant(mean: number): Service {
  return { kind: 'constant', mean }
}

export function exponential(mean: number): Service {
  return { kind: 'exponential', mean }
}
