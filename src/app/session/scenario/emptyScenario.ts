import { t } from '../../../language/translate.ts'
import { newStageName } from '../../../scenario/edit/edits.ts'
import { MAX_REAL_WORKERS } from '../../../scenario/model/limits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { parse } from '../../../scenario/parse/parse.ts'

/** Returns a pipeline of one stage, with as many workers as the machine has cores. */
export function emptyScenario(): Scenario {
  const workers = Math.min(MAX_REAL_WORKERS, Math.max(1, navigator.hardwareConcurrency || 1))
  const parsed = parse({
    version: 1,
    title: t('New pipeline'),
    source: { kind: 'poisson', rate: 100, jobs: 200 },
    stages: [{ id: 'A', name: newStageName('A'), service: { kind: 'exponential', mean: 10_000 }, work: 'wait' }],
    workers,
  })
  if ('problems' in parsed) throw new Error(parsed.problems[0]?.message)
  return parsed.scenario
}
