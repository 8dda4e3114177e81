import { t } from '../../language/translate.ts'
import { scenarioDefaults, stageDefaults } from '../model/defaults.ts'
import type { EngineName } from '../model/engines.ts'
import { linearLinks } from '../model/linearStages.ts'
import type { Micros, Scenario, Service, Stage, Work } from '../model/scenario.ts'

export interface Preset {
  readonly key: string
  /** Like the sentence below in the language that is spoken. */
  readonly title: string
  /** What there is to see, in one sentence. */
  readonly about: string
  readonly scenario: Scenario
  /** The engine that shows it best; the one that is chosen unless it says. */
  readonly engine?: EngineName
  /** When, in the simulation, that happens which it tells of. */
  readonly at?: Micros
}

/** What a preset says of its scenario; the rest is as usual. */
export type PresetScenario = Partial<Scenario> & Pick<Scenario, 'stages' | 'source' | 'workers'>

/** Stages in a line, with a core for every worker, unless asked otherwise. Title and sentence are messages; what a link carries is the title in English. */
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

/** Stages wait unless told otherwise: sleeping workers show many cores on a machine with few. */
export function stage(id: string, name: string, service: Service, work: Work = 'wait'): Stage {
  return { ...stageDefaults, id, name, service, work }
}

export function constant(mean: number): Service {
  return { kind: 'constant', mean }
}

export function exponential(mean: number): Service {
  return { kind: 'exponential', mean }
}
