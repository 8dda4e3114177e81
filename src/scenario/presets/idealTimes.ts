import { constant, type Preset, preset, stage } from './preset.ts'

/** Published pipelines whose ideal times are known to the last microsecond. */
export const idealTimes: readonly Preset[] = [
  preset(
    'side-by-side',
    'Two side by side, then one, then one',
    'Five jobs, each copied to two stages whose parts meet again: 5 s for one worker alone, 1.75 s for four, each at a stage of its own.',
    {
      stages: [
        stage('A', 'Left half', constant(250_000)),
        stage('B', 'Right half', constant(250_000)),
        { ...stage('C', 'Put together', constant(250_000)), join: 'all' },
        stage('D', 'Check', constant(250_000)),
      ],
      links: [
        ['source', 'A'],
        ['source', 'B'],
        ['A', 'C'],
        ['B', 'C'],
        ['C', 'D'],
        ['D', 'sink'],
      ],
      source: { kind: 'batch', jobs: 5 },
      workers: 4,
      policy: { kind: 'onePerStage', lend: false },
    },
  ),
  preset(
    'six-through-three',
    'Six jobs through three stages',
    'Six jobs through three stages of 0.2 s: 3.6 s for one worker alone, 1.6 s for three who each keep to a stage of their own.',
    {
      stages: [stage('A', 'First', constant(200_000)), stage('B', 'Second', constant(200_000)), stage('C', 'Third', constant(200_000))],
      source: { kind: 'batch', jobs: 6 },
      workers: 3,
      policy: { kind: 'onePerStage', lend: false },
    },
  ),
]
