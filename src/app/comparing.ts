import { createStore } from 'zustand/vanilla'
import { createBeliefs } from '../measures/beliefs.ts'
import { createChart, extendChart } from '../measures/chart.ts'
import type { Journal } from '../pipeline/journal.ts'
import { type Compared, comparisonKey, firstChoice, MOST_POLICIES, mayRecord, underPolicy } from '../runs/compare.ts'
import { type PlaysHandle, startPlays } from '../runs/remoteCompare.ts'
import type { PolicyKind, Scenario } from '../scenario/scenario.ts'
import { policies } from '../scheduler/policies.ts'
import { append, catchUp, createTrace } from '../trace/trace.ts'
import { type Run, runStore, show } from './runStore.ts'

/** One policy of a comparison that has been played. */
export interface ComparedRun {
  readonly scenario: Scenario
  readonly compared: Compared
  /** With all that happened, for pictures; null where only figures were asked for, and until it has been taken in. */
  readonly run: Run | null
}

/** Policies played on one scenario: the store outlives the panel, so that one may look elsewhere meanwhile. */
export interface Comparison {
  readonly phase: 'playing' | 'done' | 'stopped'
  readonly share: number
  readonly runs: ReadonlyMap<PolicyKind, ComparedRun>
  /** Why it could not go on. */
  readonly reason: string | null
}

interface ComparingState {
  /** Null: those that suggest themselves. */
  readonly chosen: readonly PolicyKind[] | null
  readonly comparison: Comparison | null
}

export const comparingStore = createStore<ComparingState>(() => ({ chosen: null, comparison: null }))

/** One worker who runs each job to its end: what a pipeline is to be faster than. */
export const BASELINE: PolicyKind = 'single'
/** Rows taken in at a time: a few milliseconds' worth. */
const ROWS_AT_ONCE = 40_000

let handle: PlaysHandle | null = null

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

/** The runs that would be the same again: another policy in the header changes none of them. */
export function stillValid(scenario: Scenario, runs: ReadonlyMap<PolicyKind, ComparedRun>): ReadonlyMap<PolicyKind, ComparedRun> {
  return new Map(
    [...runs].filter(([kind, run]) => {
      const parsed = underPolicy(scenario, kind)
      return 'scenario' in parsed && comparisonKey(parsed.scenario) === comparisonKey(run.scenario)
    }),
  )
}

/** What is to be played: the scenario's own policy first, then the baseline, then the others. */
export function missing(scenario: Scenario, kinds: readonly PolicyKind[], runs: ReadonlyMap<PolicyKind, ComparedRun>, record: boolean): readonly PolicyKind[] {
  const own = scenario.policy.kind
  const wanted = [...new Set([...(kinds.includes(own) ? [own] : []), BASELINE, ...kinds])]
  return wanted.filter((kind) => {
    const known = runs.get(kind)
    return known === undefined || (record && known.run === null && kinds.includes(kind))
  })
}

/** Plays the policies that have not been played on this scenario yet, on all cores; what is there stays. */
export function startComparing(scenario: Scenario, kinds: readonly PolicyKind[]): void {
  stopComparing()
  const kept = stillValid(scenario, comparingStore.getState().comparison?.runs ?? new Map())
  const record = mayRecord(scenario, kinds.length)
  const asked = missing(scenario, kinds, kept, record).flatMap((kind) => {
    const parsed = underPolicy(scenario, kind)
    return 'scenario' in parsed ? [{ kind, scenario: parsed.scenario, record: record && kinds.includes(kind) }] : []
  })
  const comparison: Comparison = { phase: 'playing', share: 0, runs: only(kept, [...kinds, BASELINE]), reason: null }
  comparingStore.setState({ comparison })
  /** One after the other, behind the figures. */
  let taking = Promise.resolve()
  const mine = startPlays(asked, {
    answer(k, compared) {
      const { kind, scenario: played } = asked[k]
      const put = (run: Run | null) => {
        if (mine === handle) tell((now) => ({ runs: new Map(now.runs).set(kind, { scenario: played, compared: { ...compared, journals: null }, run }) }))
      }
      // The figures are there before the pictures.
      put(null)
      if (compared.journals === null) return
      const { journals } = compared
      taking = taking.then(async () => {
        if (mine !== handle) return
        const run = await takeIn(played, compared, journals, `A run of the comparison, under ${policies[kind].name}.`)
        put(run)
        // Where nothing has been run yet the page shows the scenario's own policy.
        const own = kind === scenario.policy.kind || !kinds.includes(scenario.policy.kind)
        if (mine === handle && own && runStore.getState().run === null) void show(run, 0)
      })
    },
    progress: (share) => mine === handle && tell(() => ({ share })),
  })
  handle = mine
  void mine.finished
    .then(async (whole) => {
      await taking
      if (whole && mine === handle) tell(() => ({ phase: 'done' }))
    })
    .catch((error: unknown) => {
      if (mine === handle) tell(() => ({ phase: 'stopped', reason: error instanceof Error ? error.message : String(error) }))
    })
}

/** Ends it; what has been played stays. */
export function stopComparing(): void {
  handle?.stop()
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
  for (const journal of journals) append(trace, journal)
  await rest()
  trace.failures.push(...failures)
  trace.ending = ending
  const run: Run = { scenario, trace, chart: createChart(trace), beliefs: createBeliefs(trace), startedAt: 0, note }
  while (!catchUp(trace, ROWS_AT_ONCE)) await rest()
  while (!extendChart(run.chart, trace, ROWS_AT_ONCE)) await rest()
  return run
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

function only(runs: ReadonlyMap<PolicyKind, ComparedRun>, kinds: readonly PolicyKind[]): ReadonlyMap<PolicyKind, ComparedRun> {
  return new Map([...runs].filter(([kind]) => kinds.includes(kind)))
}
