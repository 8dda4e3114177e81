import { t } from '../../language/translate.ts'
import { isPinned } from '../../scenario/model/defaults.ts'
import type { PolicyKind } from '../../scenario/model/scenario.ts'
import type { StageBallot } from './decision.ts'
import type { Assignment } from './decisionContext.ts'
import { plain, type SentencePart, type Speech, sentence, stageNames, tParts, workersPhrase } from './speech.ts'

/** What workers do after a decision, each group for one reason. */
export interface Placement {
  readonly workers: readonly number[]
  readonly does: 'starts' | 'stays' | 'moves' | 'prefetches' | 'idles'
  /** Where they were; -1 if nowhere yet. */
  readonly from: number
  /** Where they work now; -1 if they stay idle. */
  readonly stage: number
  /** By stage: how far it was below its target just before; empty if no worker was sent. */
  readonly short: readonly number[]
  /** Whether a needier stage still had jobs: the record does not say why none started. */
  readonly passed: boolean
  /** Whether the stage then has more workers than its target. */
  readonly above: boolean
  readonly reason: PlacementReason | null
}

/** Why workers are not at a needier stage, as far as the record knows. */
export type PlacementReason =
  /** This stage is further below its target, but no job is left there. */
  | { readonly kind: 'noJob'; readonly stage: number }
  /** The chosen stage is as far or further below its target than this one. */
  | { readonly kind: 'asFar' | 'further'; readonly stage: number }
  | { readonly kind: 'nothingWaits' }
  /** Where jobs wait the targets are reached, and the policy allows no more workers. */
  | { readonly kind: 'reached' }

/** A stage that is below its raised target after the decision. */
export interface Shortfall {
  readonly stage: number
  readonly missing: number
  /** Whether no job is left there. */
  readonly noJob: boolean
  /** The stages with more workers than their targets. Empty unless every worker is busy. */
  readonly above: readonly number[]
}

/** The facts of a decision from which placements follow. */
export interface PlacementInput {
  readonly policy: PolicyKind
  readonly workers: number
  readonly stages: readonly Pick<StageBallot, 'waiting' | 'busy' | 'seatsBefore' | 'seatsAfter'>[]
  readonly orders: readonly Assignment[]
  readonly free: readonly number[]
}

/** Returns what every worker does that got a batch or became free. */
export function placementsOf(decision: PlacementInput): Placement[] {
  return grouped(placementEach(decision))
}

/** Returns what one worker does; null if the decision is not about it. */
export function placementOf(decision: PlacementInput, worker: number, prefetch = false): Placement | null {
  return (
    placementEach(decision).find(
      ({ workers, does }) => workers[0] === worker && (does === 'prefetches') === prefetch,
    ) ?? null
  )
}

function placementEach(decision: PlacementInput): Placement[] {
  const { stages, orders, free } = decision
  const left = jobsLeft(decision)
  const after = workersAfter(decision)
  const staffed = stages.map(({ busy }) => busy)
  const placements: Placement[] = []
  const apart = { short: [], passed: false, above: false }
  for (const { worker, from, stage, prefetch } of orders) {
    if (prefetch) {
      placements.push({ workers: [worker], does: 'prefetches', from: stage, stage, ...apart, reason: null })
      continue
    }
    const short = stages.map(({ seatsAfter }, s) => seatsAfter - staffed[s])
    const does = from < 0 ? 'starts' : from === stage ? 'stays' : 'moves'
    const passed = short.some((n, s) => n > Math.max(0, short[stage]) && left[s] > 0)
    placements.push({
      workers: [worker],
      does,
      from,
      stage,
      short,
      passed,
      above: short[stage] <= 0,
      reason: reasonOf(stages, stage, short, left, after),
    })
    staffed[stage]++
  }
  const idle = free.filter((worker) => !orders.some((order) => order.worker === worker))
  const reason = idleReason(decision, left, after)
  for (const worker of idle)
    placements.push({ workers: [worker], does: 'idles', from: -1, stage: -1, ...apart, reason })
  return placements
}

/** Returns the stages below their raised targets; none for pinned workers. */
export function shortfallsOf(decision: PlacementInput): Shortfall[] {
  const { policy, stages, workers } = decision
  if (isPinned(policy)) return []
  const left = jobsLeft(decision)
  const after = workersAfter(decision)
  const allBusy = after.reduce((sum, n) => sum + n, 0) === workers
  const above = allBusy ? numbersWhere(stages, ({ seatsAfter }, s) => after[s] > seatsAfter) : []
  return numbersWhere(
    stages,
    ({ seatsBefore, seatsAfter }, s) => seatsAfter > seatsBefore && after[s] < seatsAfter,
  ).map((stage) => ({
    stage,
    missing: stages[stage].seatsAfter - after[stage],
    noJob: left[stage] === 0,
    above,
  }))
}

function reasonOf(
  stages: PlacementInput['stages'],
  chosen: number,
  short: readonly number[],
  left: readonly number[],
  after: readonly number[],
): PlacementReason | null {
  const others = numbersWhere(stages, (_, s) => s !== chosen && short[s] > 0)
  const neediest = others.reduce((best, s) => (short[s] > (best < 0 ? short[chosen] : short[best]) ? s : best), -1)
  if (neediest >= 0) return left[neediest] === 0 ? { kind: 'noJob', stage: neediest } : null
  const grown = others.find(
    (s) => left[s] > 0 && stages[s].seatsAfter > stages[s].seatsBefore && after[s] < stages[s].seatsAfter,
  )
  if (grown === undefined) return null
  return { kind: short[grown] === short[chosen] ? 'asFar' : 'further', stage: grown }
}

function idleReason(
  { policy, stages }: PlacementInput,
  left: readonly number[],
  after: readonly number[],
): PlacementReason | null {
  if (left.every((jobs) => jobs === 0)) return { kind: 'nothingWaits' }
  const reached =
    (isPinned(policy) || policy === 'byHand') &&
    stages.every(({ seatsAfter }, s) => left[s] === 0 || after[s] >= seatsAfter)
  return reached ? { kind: 'reached' } : null
}

/** Returns by stage how many jobs wait after the decision. */
function jobsLeft({ stages, orders }: PlacementInput): number[] {
  return stages.map(({ waiting }, s) =>
    orders.reduce((left, { stage, jobs }) => (stage === s ? left - jobs : left), waiting),
  )
}

/** Returns by stage how many workers are busy after the decision. */
function workersAfter({ stages, orders }: PlacementInput): number[] {
  return stages.map(({ busy }, s) =>
    orders.reduce((n, { stage, prefetch }) => (stage === s && !prefetch ? n + 1 : n), busy),
  )
}

/** Puts the workers together that do the same for the same reason. */
function grouped(placements: readonly Placement[]): Placement[] {
  const groups = new Map<string, Placement>()
  for (const placement of placements) {
    const key = JSON.stringify([placement.does, placement.from, placement.stage, placement.above, placement.reason])
    const same = groups.get(key)
    groups.set(key, same === undefined ? placement : { ...same, workers: [...same.workers, ...placement.workers] })
  }
  return [...groups.values()]
}

/** Returns the numbers of the values, from 0, for which something holds. */
export function numbersWhere<T>(values: readonly T[], holds: (value: T, i: number) => boolean): number[] {
  return values.flatMap((value, i) => (holds(value, i) ? [i] : []))
}

/** How many groups of workers and stages are named at most. */
const MAX_NAMED = 4

type Targets = readonly Pick<StageBallot, 'seatsAfter'>[]

/** Returns what the workers do: "Worker 1 stays at Parse." */
export function placementSentences(placements: readonly Placement[], stages: Targets, speech: Speech): SentencePart[] {
  const named = placements.length > MAX_NAMED ? placements.slice(0, MAX_NAMED - 1) : placements
  const rest = new Set(placements.slice(named.length).flatMap(({ workers }) => workers)).size
  const sentences = named.flatMap((placement) => sentence(placementPhrase(placement, stages, speech)))
  return rest === 0
    ? sentences
    : [
        ...sentences,
        ...sentence([
          plain(t('{n, plural, one {# more worker is} other {# more workers are}} not named here', { n: rest })),
        ]),
      ]
}

function placementPhrase(placement: Placement, stages: Targets, speech: Speech): SentencePart[] {
  const { stage, above, reason } = placement
  const does = actionPhrase(placement, speech)
  const where = above
    ? tParts('<does></does>, above its target of {target, number}', { does }, { target: stages[stage].seatsAfter })
    : does
  return reason === null
    ? where
    : tParts('<does></does>: <reason></reason>', { does: where, reason: placementReasonPhrase(reason, stage, speech) })
}

function actionPhrase({ workers, does, from, stage }: Placement, speech: Speech): SentencePart[] {
  const who = workersPhrase(workers, speech)
  const n = { n: workers.length }
  if (does === 'idles')
    return tParts('{n, plural, one {<who></who> stays idle} other {<who></who> stay idle}}', { who }, n)
  const tags = { who, stage: [speech.stage(stage)] }
  switch (does) {
    case 'starts':
      return tParts(
        '{n, plural, one {<who></who> starts at <stage></stage>} other {<who></who> start at <stage></stage>}}',
        tags,
        n,
      )
    case 'stays':
      return tParts(
        '{n, plural, one {<who></who> stays at <stage></stage>} other {<who></who> stay at <stage></stage>}}',
        tags,
        n,
      )
    case 'moves':
      return tParts(
        '{n, plural, one {<who></who> moves from <from></from> to <stage></stage>} other {<who></who> move from <from></from> to <stage></stage>}}',
        { ...tags, from: [speech.stage(from)] },
        n,
      )
    case 'prefetches':
      return tParts(
        '{n, plural, one {<who></who> gets its next batch at <stage></stage> in advance} other {<who></who> get their next batches at <stage></stage> in advance}}',
        tags,
        n,
      )
  }
}

/** Returns why: "no other job waits". `chosen`: the stage they are sent to. */
export function placementReasonPhrase(reason: PlacementReason, chosen: number, speech: Speech): SentencePart[] {
  switch (reason.kind) {
    case 'noJob':
      return tParts('no other job waits at <stage></stage>', { stage: [speech.stage(reason.stage)] })
    case 'asFar':
      return tParts('<chosen></chosen> is as far below its target as <stage></stage>', {
        chosen: [speech.stage(chosen)],
        stage: [speech.stage(reason.stage)],
      })
    case 'further':
      return tParts('<chosen></chosen> is further below its target than <stage></stage>', {
        chosen: [speech.stage(chosen)],
        stage: [speech.stage(reason.stage)],
      })
    case 'nothingWaits':
      return [plain(t('no other job waits'))]
    case 'reached':
      return [plain(t('the stages with waiting jobs have reached their targets'))]
  }
}

/** Returns which stages are still below their targets: "Write is still 1 below its target." */
export function shortfallSentences(shortfalls: readonly Shortfall[], speech: Speech): SentencePart[] {
  return shortfalls.slice(0, MAX_NAMED).flatMap(({ stage, missing, noJob, above }) => {
    const short = tParts(
      '<stage></stage> is still {n, number} below its target',
      { stage: [speech.stage(stage)] },
      { n: missing },
    )
    const why = noJob
      ? tParts('no other job waits there', {})
      : tParts(
          '{n, plural, one {<who></who> is above its own} other {<who></who> are above theirs}}',
          { who: stageNames(above, speech) },
          { n: above.length },
        )
    return sentence(
      noJob || above.length > 0 ? tParts('<does></does>: <reason></reason>', { does: short, reason: why }) : short,
    )
  })
}
