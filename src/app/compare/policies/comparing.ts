import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { createEstimateHistory } from '../../../measures/decisions/estimateHistory.ts'
import { createChart, extendChart } from '../../../measures/series/chart.ts'
import type { Journal } from '../../../pipeline/journal.ts'
import { ROWS_A_STEP, rest, stepInSlices } from '../../../runs/remote/inSlices.ts'
import { Cancelled, runJobs } from '../../../runs/remote/jobThreads.ts'
import { type Compared, comparisonKey, firstChoice, MOST_POLICIES, underPolicy } from '../../../runs/study/compare.ts'
import type { PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { policies } from '../../../scheduler/policies.ts'
import { append, catchUp, createTrace } from '../../../trace/trace.ts'
import { type Run, runStore, showRun } from '../../session/run/runStore.ts'

/** What takes part in a comparison: a scenario by a name. */
export interface Entrant {
  readonly key: string
  readonly name: string
  readonly scenario: Scenario
}

/** An entrant that has been played. */
export interface ComparedRun extends Entrant {
  readonly compared: Compared
  /** With all that happened, for pictures; null where only figures were asked for, and until it has been taken in. */
  readonly run: Run | null
}

/** Policies played on one scenario, or branches of one: the store outlives the panel, so that one may look elsewhere meanwhile. */
export interface Comparison {
  readonly phase: 'playing' | 'done' | 'stopped'
  readonly share: number
  readonly runs: ReadonlyMap<string, ComparedRun>
  /** Why it could not go on. */
  readonly reason: string | null
}

interface ComparingState {
  /** Null: those that suggest themselves. */
  readonly chosen: readonly PolicyKind[] | null
  /** Of a scenario with branches: its policies are compared, not they. */
  readonly byPolicy: boolean
  /** Somebody has asked for it beforehand: it is played however long that takes. */
  readonly asked: boolean
  readonly comparison: Comparison | null
}

export const comparingStore = createStore<ComparingState>(() => ({ chosen: null, byPolicy: false, asked: false, comparison: null }))

/** One worker who runs each job to its end: what a pipeline is to be faster than. */
export const BASELINE: PolicyKind = 'single'

let handle: AbortController | null = null

/** Real workers have the cores to themselves. */
runStore.subscribe(({ phase, engine }) => {
  if (phase === 'running' && engine === 'threads') stopComparing()
})

/** The policies to be compared that the scenario can play, in the order of the list. */
export function chosenFor(scenario: Scenario, chosen: readonly PolicyKind[] | null): readonly PolicyKind[] {
  const kinds = (chosen ?? firstChoice(scenario)).filter((kind) => 'scenario' in underPolicy(scenario, kind))
  return (Object.keys(policies) as PolicyKind[]).filter((kind) => kinds.includes(kind))
}

export function chooseOf(scenario: Scenario, kind: PolicyKind, taken: boolean): void {
  const now = chosenFor(scenario, comparingStore.getState().chosen)
  const others = now.filter((each) => each !== kind)
  comparingStore.setState({ chosen: taken ? [...others, kind].slice(-MOST_POLICIES) : others })
}

/** Has these policies compared as soon as the panel is open. */
export function comparePolicies(kinds: readonly PolicyKind[]): void {
  comparingStore.setState({ chosen: kinds, byPolicy: true, asked: true })
}

/** The scenario under each of the policies that it can be played under. */
export function entrantsUnder(scenario: Scenario, kinds: readonly PolicyKind[]): readonly Entrant[] {
  return kinds.flatMap((kind) => {
    const parsed = underPolicy(scenario, kind)
    return 'scenario' in parsed ? [{ key: kind, name: policies[kind].name(), scenario: parsed.scenario }] : []
  })
}

/** The runs that would be the same again: another policy in the header changes none of them. */
export function stillValid(entrants: readonly Entrant[], runs: ReadonlyMap<string, ComparedRun>): ReadonlyMap<string, ComparedRun> {
  return new Map(
    entrants.flatMap(({ key, name, scenario }) => {
      const run = runs.get(key)
      return run !== undefined && comparisonKey(scenario) === comparisonKey(run.scenario) ? [[key, { ...run, name }] as const] : []
    }),
  )
}

/** What is to be played of these: records are wanted of those that are drawn. */
export function runsToPlay(entrants: readonly Entrant[], runs: ReadonlyMap<string, ComparedRun>, isDrawn: (entrant: Entrant) => boolean): readonly Entrant[] {
  return entrants.filter((entrant) => {
    const known = runs.get(entrant.key)
    return known === undefined || (known.run === null && isDrawn(entrant))
  })
}

/** What one policy against others needs beside them: the scenario under its own first, then the baseline. */
export function withBaseline(scenario: Scenario, entrants: readonly Entrant[]): readonly Entrant[] {
  const own = entrants.filter(({ key }) => key === scenario.policy.kind)
  const baseline = entrants.some(({ key }) => key === BASELINE) ? [] : entrantsUnder(scenario, [BASELINE])
  return [...own, ...baseline, ...entrants.filter((entrant) => !own.includes(entrant))]
}

/** Plays, on all cores and in this order, what has not been played yet; what is there stays. `own`: whose run the page shows where there is none yet. */
export function startComparing(entrants: readonly Entrant[], isDrawn: (entrant: Entrant) => boolean, own: string | null): void {
  stopComparing()
  const kept = stillValid(entrants, comparingStore.getState().comparison?.runs ?? new Map())
  const asked = runsToPlay(entrants, kept, isDrawn).map((entrant) => ({ ...entrant, record: isDrawn(entrant) }))
  comparingStore.setState({ comparison: { phase: 'playing', share: 0, runs: kept, reason: null } })
  /** One after the other, behind the figures. */
  let taking = Promise.resolve()
  const mine = new AbortController()
  handle = mine
  const finished = runJobs('compare', asked, {
    signal: mine.signal,
    answer(k, compared) {
      const { key, name, scenario } = asked[k]
      const put = (run: Run | null) => {
        if (mine === handle) tell((now) => ({ runs: new Map(now.runs).set(key, { key, name, scenario, compared: { ...compared, journals: null }, run }) }))
      }
      // The figures are there before the pictures.
      put(null)
      if (compared.journals === null) return
      const { journals } = compared
      taking = taking.then(async () => {
        if (mine !== handle) return
        const run = await takeIn(scenario, compared, journals, t('A run of the comparison: {name}.', { name }))
        put(run)
        if (mine === handle && (own === null || own === key) && runStore.getState().run === null) void showRun(run, 0)
      })
    },
    progress: (share) => mine === handle && tell(() => ({ share })),
  })
  void finished
    .then(async () => {
      await taking
      if (mine === handle) tell(() => ({ phase: 'done' }))
    })
    .catch((error: unknown) => {
      if (!(error instanceof Cancelled) && mine === handle) tell(() => ({ phase: 'stopped', reason: error instanceof Error ? error.message : String(error) }))
    })
}

/** Ends it; what has been played stays. */
export function stopComparing(): void {
  handle?.abort()
  handle = null
  const { comparison } = comparingStore.getState()
  if (comparison?.phase === 'playing') comparingStore.setState({ comparison: { ...comparison, phase: 'stopped' } })
}

function tell(patch: (now: Comparison) => Partial<Comparison>): void {
  const { comparison } = comparingStore.getState()
  if (comparison !== null) comparingStore.setState({ comparison: { ...comparison, ...patch(comparison) } })
}

/** Makes a run of what a thread has handed over, a stretch of rows at a time. */
export async function takeIn(scenario: Scenario, { failures, ending }: Compared, journals: readonly Journal[], note: string): Promise<Run> {
  const trace = createTrace(scenario, 'simulation', Date.now())
  await rest()
  const coming = journals.values()
  await stepInSlices(() => {
    const { value, done = false } = coming.next()
    if (value !== undefined) append(trace, value)
    return done
  })
  trace.failures.push(...failures)
  trace.ending = ending
  const run: Run = { scenario, trace, chart: createChart(trace), estimateHistory: createEstimateHistory(trace), startedAt: 0, note }
  await stepInSlices(() => catchUp(trace, ROWS_A_STEP))
  await stepInSlices(() => extendChart(run.chart, trace, ROWS_A_STEP))
  return run
}
