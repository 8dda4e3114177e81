import { constant, exponential, type Preset, preset, stage } from './preset.ts'

/** What the page opens with. */
export const defaultPreset = preset(
  'rush-hour',
  'Rush hour at the API gateway',
  'Requests come a little faster than eight workers can serve them, and the workers follow the queues until all have left in order.',
  {
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
)

/** For beginners: the smallest run, and the preset above. */
export const firstRuns: readonly Preset[] = [
  preset(
    'worked-example',
    'Worked example',
    'Three jobs of one second at each of two stages: the two workers stand at A, then one at each, then at B, and all is done after 3 s.',
    {
      stages: [stage('A', 'A', constant(1_000_000)), stage('B', 'B', constant(1_000_000))],
      source: { kind: 'batch', jobs: 3 },
      workers: 2,
      estimator: { kind: 'mean', prior: 'declared' },
    },
  ),
  defaultPreset,
]
