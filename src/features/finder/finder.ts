import type { LoadCode } from '../../engine/engine.ts'
import { type FirstDifference, firstDifference } from '../../measures/decisions/firstDifference.ts'
import { type Metrics, metricsOf } from '../../measures/figures/metrics.ts'
import { playTrial } from '../../runs/play/play.ts'
import { underPolicy } from '../../runs/study/compare.ts'
import { paramsOf, policyKinds, startingParams } from '../../scenario/model/policies.ts'
import type { CodePolicy, Parsed, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { withoutKey } from '../../scenario/model/schedule.ts'
import { problemsText } from '../../scenario/model/words.ts'
import { parse } from '../../scenario/parse/parse.ts'
import type { Trace } from '../../trace/trace.ts'
import { loadSharedCode } from '../code/sandbox/loadCode.ts'
import { createChainDraws, drawScenario, mutated, startAround } from './finderDraw.ts'
import { type Found, shrunk } from './finderShrink.ts'

/** The figures of a run by which a policy can fail: of each, less is better. */
export const finderMeasures = [
  'makespan',
  'meanWait',
  'meanFlowTime',
  'p50FlowTime',
  'p99FlowTime',
  'meanJobsInSystem',
  'switches',
  'reordered',
  'contendedTime',
] as const satisfies readonly (keyof Metrics)[]
export type FinderMeasure = (typeof finderMeasures)[number]

/** Two policies, and the figure in which the first is to do worse than the second. */
export interface Contest {
  readonly worse: PolicyKind
  readonly than: PolicyKind
  readonly measure: FinderMeasure
  /** The code that takes part as `code`. Left out: that of the scenario, or what a form begins with. */
  readonly code?: CodePolicy | null
}

/** The policies that a contest may name: all that need no choice of seats. */
export const contestants: readonly PolicyKind[] = policyKinds.filter(
  (kind) => kind !== 'byHand' && paramsOf(kind).every(([key]) => key in startingParams(kind)),
)

/** Returns the runs of a scenario under both policies, one played after the other; null if one of them cannot play it, or does not finish its jobs. */
export async function playContest(
  { worse, than }: Contest,
  scenario: Scenario,
  load?: LoadCode,
): Promise<readonly [Trace, Trace] | null> {
  const one = underPolicy(scenario, worse)
  const other = underPolicy(scenario, than)
  if ('problems' in one || 'problems' in other) return null
  const worseRun = await playTrial(one.scenario, { loadCode: load })
  if (worseRun.ending !== 'drained') return null
  const otherRun = await playTrial(other.scenario, { loadCode: load })
  return otherRun.ending === 'drained' ? [worseRun, otherRun] : null
}

/**
 * Returns how many times as much the first policy takes as the second: the quotient of the two figures as the headless command
 * prints them; 0 if the trial does not count.
 */
export async function ratioOf(contest: Contest, scenario: Scenario, load?: LoadCode): Promise<number> {
  const runs = await playContest(contest, scenario, load)
  if (runs === null) return 0
  const [worse, than] = runs.map(metricsOf)
  const by = than[contest.measure]
  return worse.completed === than.completed && by > 0 ? worse[contest.measure] / by : 0
}

/** The question: in which scenario does one policy do worst against another? */
export interface FinderQuestion extends Contest {
  readonly seed: number
  /** The most trials. A trial plays a scenario under both policies. */
  readonly runs: number
  /** Search around this scenario; null: among all small ones. */
  readonly around: Scenario | null
}

/** One of the parallel searches. */
interface Chain {
  readonly number: number
  /** How many random numbers it has drawn. */
  readonly drawn: number
  readonly present: Found | null
  readonly best: Found | null
}

/** The task of a thread: the scenario to search around, some trials of one chain, or the best scenario, to make it simpler. */
export type FinderTask =
  | { readonly kind: 'start'; readonly contest: Contest; readonly scenario: Scenario }
  | { readonly kind: 'leg'; readonly contest: Contest; readonly seed: number; readonly chain: Chain; readonly leg: Leg }
  | { readonly kind: 'shrink'; readonly contest: Contest; readonly found: Found; readonly maxRuns: number }

interface Leg {
  readonly trials: number
  /** Draw new scenarios, or change the present one. */
  readonly draws: boolean
  readonly keepsStages: boolean
  /** A change is accepted if it costs at most this share of the ratio. */
  readonly slack: number
}

/** The answer of a thread: of a leg the chain as it is now, of the others the scenario. */
export interface FinderAnswer {
  readonly chain: Chain | null
  readonly found: Found | null
  /** How many trials it took. */
  readonly runs: number
  /** Where the two runs of the scenario differ first; null if they do not, or that was not asked. */
  readonly parting: FirstDifference | null
}

/** Plays the tasks, on this thread or on others, and gets the progress of the search. */
export interface FinderHost {
  play(task: FinderTask): Promise<FinderAnswer>
  /** `best`: the greatest ratio so far; 0 if no trial has counted. `share`: of the trials, 0 to 1. */
  onProgress?(best: number, share: number): void
  /** Whether the best so far is good enough. Then it is made simpler. */
  enough?(): boolean
}

/** The result: a scenario under the first policy, or under the code that takes part, and the ratio of the two figures. */
export type Find = Found & Pick<FinderAnswer, 'runs' | 'parting'>

/** More threads would be of no use. The number is fixed, so that one seed has the same result on every machine. */
export const CHAINS = 8
/** About half a minute on two cores. */
export const DEFAULT_RUNS = 40_000
export const MAX_FINDER_RUNS = 10_000_000
const TRIALS_A_LEG = 50
/** Share of the trials that draw new scenarios before the best are changed. */
const DRAWN = 0.15
/** Rounds after which the worse half of the chains continues from the better half. */
const ROUNDS_APART = 8
const SLACK = 0.06
/** The share of the trials that is kept for shrinking, and the maximum for shrinking. */
const SHRINKING = 0.25
const MAX_SHRINKING = 3000

/**
 * Returns the scenario in which the first policy does worst against the second; null if no trial counted. Chains of random changes,
 * which begin with the best of many random scenarios, take turns in rounds. One question has one answer, on however many threads.
 * Throws RangeError if the first policy cannot play the scenario to search around.
 */
export async function findWorst(
  question: FinderQuestion,
  { play, onProgress = () => {}, enough = () => false }: FinderHost,
): Promise<Find | null> {
  const { seed, runs: maxRuns, around, worse, than, measure, code } = question
  const contest = { worse, than, measure, code: code ?? null }
  const searching = maxRuns - Math.min(MAX_SHRINKING, Math.floor(maxRuns * SHRINKING))
  const start = around === null ? null : (await play(startAt(contest, around))).found
  let chains: readonly Chain[] = Array.from({ length: CHAINS }, (_, number) => ({
    number,
    drawn: 0,
    present: start,
    best: start,
  }))
  let runs = 0
  for (let round = 1; runs < searching && !enough(); round++) {
    const done = runs / searching
    const leg = { draws: around === null && done < DRAWN, keepsStages: around !== null, slack: SLACK * (1 - done) }
    const tasks = chains.flatMap((chain, k): FinderTask[] => {
      const trials = Math.min(TRIALS_A_LEG, searching - runs - k * TRIALS_A_LEG)
      return trials > 0 ? [{ kind: 'leg', contest, seed, chain, leg: { ...leg, trials } }] : []
    })
    const answers = await Promise.all(tasks.map(play))
    chains = chains.map((chain, k) => answers[k]?.chain ?? chain)
    runs += answers.reduce((sum, answer) => sum + answer.runs, 0)
    if (round % ROUNDS_APART === 0) chains = exchanged(chains)
    onProgress(bestOf(chains)?.ratio ?? 0, runs / maxRuns)
  }
  const best = bestOf(chains)
  if (best === null) return null
  const { found, runs: more, parting } = await play({ kind: 'shrink', contest, found: best, maxRuns: maxRuns - runs })
  const result = found ?? best
  onProgress(result.ratio, 1)
  return { ...result, runs: runs + more, parting }
}

/** Plays a task on this thread. */
export async function playFinderTask(task: FinderTask): Promise<FinderAnswer> {
  const load = loadSharedCode()
  if (task.kind === 'leg') return playLeg(task, load)
  const { contest } = task
  if (task.kind === 'start')
    return {
      chain: null,
      found: { scenario: task.scenario, ratio: await ratioOf(contest, task.scenario, load) },
      runs: 0,
      parting: null,
    }
  const { found, runs } = await shrunk(task.found, task.maxRuns, (scenario) => ratioOf(contest, scenario, load))
  const both = await playContest(contest, found.scenario, load)
  return { chain: null, found, runs, parting: both && firstDifference(...both) }
}

async function playLeg(
  {
    contest,
    seed,
    chain: { number, drawn, present, best },
    leg: { trials, draws, keepsStages, slack },
  }: Extract<FinderTask, { kind: 'leg' }>,
  load: LoadCode,
): Promise<FinderAnswer> {
  const draw = createChainDraws(seed, number, drawn)
  let now = present
  let top = best
  for (let trial = 0; trial < trials; trial++) {
    const scenario = draws || now === null ? drawScenario(draw) : mutated(now.scenario, draw, keepsStages)
    const parsed = under(contest, scenario)
    if ('problems' in parsed) continue
    const tried = { scenario: parsed.scenario, ratio: await ratioOf(contest, parsed.scenario, load) }
    if (tried.ratio > (top?.ratio ?? 0)) top = tried
    const least = (now?.ratio ?? 0) * (draws ? 1 : 1 - slack)
    if (tried.ratio > 0 && tried.ratio >= least) now = tried
  }
  return { chain: { number, drawn: draw.drawn, present: now, best: top }, found: null, runs: trials, parting: null }
}

/** Returns the scenario under the first policy for the whole run, or why it cannot be played so. Code that takes part is carried by the scenario. */
function under({ worse, than, code }: Contest, scenario: Scenario): Parsed {
  const kind = than === 'code' ? than : worse
  if (scenario.policy.kind === kind) return parse(scenario)
  return kind === 'code' && code ? parse({ ...scenario, policy: code }) : underPolicy(scenario, kind)
}

function startAt(contest: Contest, around: Scenario): FinderTask {
  const parsed = under(contest, startAround({ ...around, branches: [], later: withoutKey(around.later, 'policy') }))
  if ('problems' in parsed) throw new RangeError(problemsText(parsed.problems))
  return { kind: 'start', contest, scenario: parsed.scenario }
}

/** The worse half of the chains continues from what the better half has found. */
function exchanged(chains: readonly Chain[]): readonly Chain[] {
  const ranked = [...chains].sort((a, b) => (b.best?.ratio ?? 0) - (a.best?.ratio ?? 0))
  const half = ranked.length / 2
  return chains.map((chain) => {
    const rank = ranked.indexOf(chain)
    return rank < half ? chain : { ...chain, present: ranked[rank - half].best }
  })
}

/** The greatest ratio; of equals that of the first chain. */
function bestOf(chains: readonly Chain[]): Found | null {
  return chains.reduce<Found | null>(
    (best, chain) => (chain.best !== null && chain.best.ratio > (best?.ratio ?? 0) ? chain.best : best),
    null,
  )
}
