import { t } from '../../../language/translate.ts'
import type { Micros, PolicyKind, Scenario, Service, Stage } from '../../../scenario/model/scenario.ts'
import { constant, linksOf, type PresetScenario, scenarioOf, stage } from '../../../scenario/presets/preset.ts'

/** A scenario that the search found, in which one policy does worse than another, and by what figure. */
export interface FoundScenario {
  readonly worse: PolicyKind
  readonly than: PolicyKind
  readonly measure: 'meanFlowTime' | 'makespan'
  readonly scenario: () => Scenario
}

const ms = (time: number): Service => constant(time * 1000)
/** A stage whose service changes with a job of this number. */
const turning = (id: string, first: Service, ...changes: readonly (readonly [from: number, service: Service])[]): Stage => ({
  ...stage(id, id, first),
  changes: changes.map(([from, service]) => ({ from, service })),
})
const times = (...groups: readonly (readonly [jobs: number, at: Micros])[]) => ({
  kind: 'times' as const,
  at: groups.flatMap(([jobs, at]) => Array.from({ length: jobs }, () => at)),
})
const found = (worse: PolicyKind, than: PolicyKind, measure: FoundScenario['measure'], scenario: Omit<PresetScenario, 'title'>): FoundScenario => ({
  worse,
  than,
  measure,
  scenario: () => scenarioOf({ estimator: { kind: 'mean', prior: 'declared' }, ...scenario, title: t('Found by search') }),
})

export const slowAtTheEnd = found('leastScore', 'sinkFirst', 'meanFlowTime', {
  source: times([18, 0]),
  stages: [turning('B', ms(3), [15, ms(1000)]), stage('C', 'C', { kind: 'exponential', mean: 1000 })],
  workers: 1,
})

export const longLine = found('sinkFirst', 'leastScore', 'makespan', {
  seed: 829,
  source: times(
    ...([0, 0, 47_900, 47_900, 70_000, 80_000, 112_000, 140_000, 198_000] as const).map((at) => [1, at] as const),
    ...([200_000, 210_000, 210_000, 300_000, 300_000, 340_000, 350_000, 400_000] as const).map((at) => [1, at] as const),
  ),
  stages: [
    turning('A', { kind: 'bimodal', fast: 25_000, slow: 70_000, pSlow: 0.5 }, [11, ms(10)]),
    turning('B', ms(5), [5, ms(200)], [6, ms(100)]),
    turning('C', ms(7), [2, ms(100)]),
    turning('D', ms(3), [3, ms(200)]),
  ],
  workers: 7,
  batch: { size: 8, inHand: 1 },
  switchCost: 2000,
})

export const onTheirWay = found('leastScore', 'preallocate', 'meanFlowTime', {
  seed: 111,
  source: times([29, 0]),
  stages: [
    stage('A', 'A', { kind: 'exponential', mean: 24_000 }),
    turning('B', { kind: 'bimodal', fast: 40_000, slow: 130_000, pSlow: 0.2 }, [14, { kind: 'uniform', min: 500_000, max: 2_000_000 }]),
    turning('C', ms(200), [6, ms(100)], [24, ms(200)]),
    turning('D', ms(20), [3, { kind: 'uniform', min: 1500, max: 5000 }]),
  ],
  workers: 6,
})

export const dearMoves = found('leastScore', 'switchAware', 'meanFlowTime', {
  seed: 704,
  source: times([11, 0], [8, 400_000], [23, 1_000_000], [2, 2_000_000]),
  stages: [stage('A', 'A', { kind: 'uniform', min: 4000, max: 11_400 }), turning('B', { kind: 'exponential', mean: 200_000 }, [6, ms(10)], [18, ms(3)])],
  workers: 1,
  switchCost: 50_000,
})

export const lentWorkers = found('switchAware', 'leastScore', 'meanFlowTime', {
  seed: 281,
  source: times([17, 0]),
  stages: [
    turning('A', ms(90), [3, ms(1000)], [4, ms(1)]),
    turning('B', ms(1000), [1, { kind: 'exponential', mean: 500_000 }], [4, { kind: 'exponential', mean: 20_000 }]),
  ],
  workers: 7,
  switchCost: 70_000,
})

export const oneSlowJob = found('leastScore', 'deadline', 'meanFlowTime', {
  seed: 942,
  source: times([1, 0], [1, 10_000], [1, 40_000], [1, 50_000]),
  stages: [
    stage('D', 'D', ms(10)),
    stage('A', 'A', ms(9.5)),
    turning('E', { kind: 'exponential', mean: 60_000 }, [1, ms(1)]),
    turning('G', ms(2), [3, ms(1000)]),
  ],
  links: linksOf('source>D D>A A>E E>G G>sink'),
  workers: 1,
  batch: { size: 8, inHand: 1 },
  estimator: { kind: 'mean', prior: 'neighbours' },
})
