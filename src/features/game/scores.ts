import { t } from '../../language/translate.ts'
import { leastFlowOf } from '../../measures/figures/lowerBound.ts'
import { playCompared, underPolicy } from '../../runs/study/compare.ts'
import type { Goal, ToBeat } from '../../scenario/link/opening.ts'
import { policyName } from '../../scenario/model/policies.ts'
import type { PolicyKind, Scenario, Service } from '../../scenario/model/scenario.ts'
import { linksOf, type Preset, presetsOf, stage } from '../../scenario/presets/preset.ts'
import { presetOf } from '../../scenario/presets/presets.ts'
import { duration, exactDuration } from '../../views/drawing/format.ts'
import { type Scores, scoresOf } from './byHand.ts'
import type { Playing } from './game.ts'

export interface Rivals {
  readonly scores: readonly { readonly kind: PolicyKind; readonly name: string; readonly scores: Scores }[]
  /** Lower bounds of the scores; 0: none is known. */
  readonly bounds: Scores
}

/** The policies that have the same information as a player, with the same number of workers. */
const voting: readonly PolicyKind[] = ['leastScore', 'jefferson', 'webster', 'adams', 'hamilton']
const rivals: readonly PolicyKind[] = [...voting, 'longestQueue', 'backpressure', 'sinkFirst', 'onePerStage', 'single']

export async function playRivals(scenario: Scenario): Promise<Rivals> {
  const scores: { kind: PolicyKind; name: string; scores: Scores }[] = []
  let makespan = 0
  for (const kind of rivals) {
    const parsed = underPolicy(scenario, kind)
    if ('problems' in parsed) continue
    const compared = await playCompared(parsed.scenario, false)
    makespan = compared.bound.time
    // A run that leaves jobs behind has no score.
    if (compared.ending === 'drained')
      scores.push({ kind, name: policyName(parsed.scenario.policy), scores: scoresOf(compared.metrics) })
  }
  return { scores, bounds: { makespan, flow: leastFlowOf(scenario) } }
}

/** Returns how a score compares with the one to beat. */
export function toBeatWords(score: number, { goal, score: toBeat }: ToBeat): string {
  const by = scoreText(goal, exactDuration(Math.abs(score - toBeat)))
  return score < toBeat ? t('Beaten by {by}.', { by }) : t('Not beaten: {by} slower.', { by })
}

/** Returns how the score of a game compares with that of the policy. */
export function comparisonWords({ goal, game }: Playing, { scores }: Rivals): string {
  const score = game.onward[goal]
  const policy = scores.find(({ kind }) => kind === 'leastScore')?.scores[goal] ?? score
  return t('You: {mine}. The policy: {rule}.', {
    mine: scoreText(goal, duration(score)),
    rule: scoreText(goal, duration(policy)),
  })
}

export const goalName = (goal: Goal) => (goal === 'makespan' ? t('Makespan') : t('Flow time, mean'))

export function scoreText(goal: Goal, time: string): string {
  return goal === 'makespan' ? time : t('{mean} per job', { mean: time })
}

/** Returns the scenarios made for the game, from easy to hard. */
export async function levelsToPlay(): Promise<readonly Preset[]> {
  return [...['worked-example', 'six-through-three'].flatMap((key) => presetOf(key) ?? []), ...games]
}

/** Small enough to play by hand: about twenty decisions. */
export const games = presetsOf({
  'slow-middle': {
    title: 'A slow middle',
    about: 'The stage in the middle takes three times as long.',
    seed: 3,
    stages: [
      stage('A', 'Sort', erlang(400_000)),
      stage('B', 'Weigh', erlang(1_200_000)),
      stage('C', 'Label', erlang(400_000)),
    ],
    source: { kind: 'batch', jobs: 8 },
    workers: 3,
  },
  'copies-meet': {
    title: 'Frame and glass',
    about: 'Framed and glazed at the same time, fitted when both are done.',
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
    about: 'A change of stage takes half a second.',
    seed: 7,
    stages: [
      stage('A', 'Pick', erlang(600_000)),
      stage('B', 'Wrap', erlang(800_000)),
      stage('C', 'Load', erlang(600_000)),
    ],
    source: { kind: 'regular', rate: 1.5, jobs: 9 },
    workers: 3,
    switchCost: 500_000,
  },
})

/** Uneven, but not wild. */
function erlang(mean: number): Service {
  return { kind: 'erlang', mean, k: 6 }
}
