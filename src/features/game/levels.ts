import type { Service } from '../../scenario/model/scenario.ts'
import { linksOf, type Preset, presetsOf, stage } from '../../scenario/presets/preset.ts'

/** Returns the scenarios made for the game, from easy to hard. */
export async function levelsToPlay(): Promise<readonly Preset[]> {
  const { presetOf } = await import('../../scenario/presets/presets.ts')
  return [...['worked-example', 'six-through-three'].flatMap((key) => presetOf(key) ?? []), ...games]
}

/** Small enough to play by hand: about twenty decisions. */
export const games = presetsOf({
  'slow-middle': {
    title: 'A slow middle',
    about: 'Eight parcels, three workers, and a stage in the middle that takes three times as long as its neighbours.',
    seed: 3,
    stages: [stage('A', 'Sort', erlang(400_000)), stage('B', 'Weigh', erlang(1_200_000)), stage('C', 'Label', erlang(400_000))],
    source: { kind: 'batch', jobs: 8 },
    workers: 3,
  },
  'copies-meet': {
    title: 'Frame and glass',
    about: 'Each window is framed and glazed at the same time, and fitted when both are there: who waits for whom?',
    seed: 5,
    stages: [
      stage('A', 'Cut', erlang(500_000)),
      stage('B', 'Frame', erlang(900_000)),
      stage('C', 'Glaze', erlang(600_000)),
      { ...stage('D', 'Fit', erlang(500_000)), join: 'all' },
    ],
    links: linksOf('source>A A>B A>C B>D C>D D>sink'),
    source: { kind: 'batch', jobs: 6 },
    workers: 3,
  },
  'far-apart': {
    title: 'Far apart',
    about: 'A worker that changes stage walks for half a second first. Is it worth it?',
    seed: 7,
    stages: [stage('A', 'Pick', erlang(600_000)), stage('B', 'Wrap', erlang(800_000)), stage('C', 'Load', erlang(600_000))],
    source: { kind: 'regular', rate: 1.5, jobs: 9 },
    workers: 3,
    switchCost: 500_000,
  },
})

/** Uneven, but not wild. */
function erlang(mean: number): Service {
  return { kind: 'erlang', mean, k: 6 }
}
