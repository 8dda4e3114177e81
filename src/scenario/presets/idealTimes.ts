import type { Link, Scenario } from '../model/scenario.ts'
import { constant, type Preset, preset, stage } from './preset.ts'

const sideBySide = {
  stages: [
    stage('A', 'Left half', constant(250_000)),
    stage('B', 'Right half', constant(250_000)),
    { ...stage('C', 'Put together', constant(250_000)), join: 'all' as const },
    stage('D', 'Check', constant(250_000)),
  ],
  links: [
    ['source', 'A'],
    ['source', 'B'],
    ['A', 'C'],
    ['B', 'C'],
    ['C', 'D'],
    ['D', 'sink'],
  ] as readonly Link[],
  source: { kind: 'batch', jobs: 5 } as const,
}
const three = {
  stages: [stage('A', 'First', constant(200_000)), stage('B', 'Second', constant(200_000)), stage('C', 'Third', constant(200_000))],
  source: { kind: 'batch', jobs: 6 } as const,
}
const onePerStage = { policy: { kind: 'onePerStage', lend: false } } as const

/** Two workers at every stage, each with every other ticket. */
function sharded({ stages }: Pick<Scenario, 'stages'>) {
  const allocation = Object.fromEntries(stages.map(({ id }) => [id, 2]))
  return { workers: 2 * stages.length, policy: { kind: 'fixed', allocation, lend: false }, order: { kind: 'shard' } } as const
}

/** Published pipelines whose ideal times are known to the last microsecond. */
export const idealTimes: readonly Preset[] = [
  preset(
    'side-by-side',
    'Two side by side, then one, then one',
    'Five jobs, each copied to two stages whose parts meet again: 5 s for one worker alone, 1.75 s for four, each at a stage of its own.',
    { ...sideBySide, workers: 4, ...onePerStage },
  ),
  preset(
    'side-by-side-sharded',
    'Two side by side, sharded',
    'The same five jobs in 1.25 s: two workers at every stage, one for the even tickets and one for the odd, and all leave in order.',
    { ...sideBySide, ...sharded(sideBySide) },
  ),
  preset(
    'six-through-three',
    'Six jobs through three stages',
    'Six jobs through three stages of 0.2 s: 3.6 s for one worker alone, 1.6 s for three who each keep to a stage of their own.',
    { ...three, workers: 3, ...onePerStage },
  ),
  preset(
    'six-through-three-sharded',
    'Six jobs through three, sharded',
    'The same six jobs in 1 s: two workers at every stage, one for the even tickets and one for the odd, and all leave in order.',
    { ...three, ...sharded(three) },
  ),
]
