import { createStore } from 'zustand/vanilla'
import { membersOf } from '../../../app/session/branches/branchRuns.ts'
import { branchNames } from '../../../app/session/branches/branchWords.ts'
import { seek } from '../../../app/session/page/playhead.ts'
import { showRun } from '../../../app/session/run/opening.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { allowCode, codeIn } from '../../../app/session/scenario/allowedCode.ts'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { runOfJournals } from '../../../app/session/study/runOfJournals.ts'
import { study } from '../../../app/session/study/study.ts'
import type { ViewPart } from '../../../app/share/links/viewNow.ts'
import { t } from '../../../language/translate.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { type Compared, firstChoice, MAX_COMPARED, underPolicy } from '../../../runs/study/compare.ts'
import { withAppearance } from '../../../scenario/edit/branches.ts'
import { comparisonKey, playedParts, same } from '../../../scenario/model/compact.ts'
import type { PolicyDescription } from '../../../scenario/model/params.ts'
import { kindName, policies, policyKinds, policyName } from '../../../scenario/model/policies.ts'
import type { Micros, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { countServices } from '../../../scenario/model/sources.ts'
import { endOf } from '../../../trace/trace.ts'

/** A scenario with a name that takes part in a comparison. */
export type Entrant = { readonly key: string; readonly name: string; readonly scenario: Scenario }

/** An entrant that has been played. */
export interface ComparedRun extends Entrant {
  readonly compared: Compared
  /** The record, for pictures; null if only figures were asked for, and until the record has been read. */
  readonly run: Run | null
}

export type ComparedRuns = ReadonlyMap<string, ComparedRun>

/** One worker that runs each job to its end: a pipeline should be faster than that. */
export const BASELINE: PolicyKind = 'single'

const ours: readonly PolicyKind[] = ['leastScore', 'power']
const kindsIn = (...wanted: readonly PolicyDescription['group'][]) =>
  policyKinds.filter((kind) => wanted.includes(policies[kind].group))

/** The policies to choose from, by what they are in a comparison. A policy is in exactly one group. */
export const compareGroups: readonly { readonly title: () => string; readonly kinds: readonly PolicyKind[] }[] = [
  { title: () => t('Ours'), kinds: [...ours, ...kindsIn('ahead', 'own')] },
  { title: () => t('Apportioning policies'), kinds: kindsIn('rules').filter((kind) => !ours.includes(kind)) },
  { title: () => t('Baselines'), kinds: kindsIn('fixed', 'queues') },
  { title: () => t('Known systems'), kinds: kindsIn('known') },
  { title: () => t('Elastic pools'), kinds: kindsIn('elastic') },
]

/** Returns a key of all that the runs of these entrants depend on. */
export function entrantsKey(entrants: readonly Entrant[]): string {
  return JSON.stringify(entrants.map(({ key, scenario }) => [key, comparisonKey(scenario)]))
}

/** Returns the end of a scale for values: one that is more than twice their median does not set it. */
export function scaleEnd(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const limit = 2 * (sorted[Math.floor((sorted.length - 1) / 2)] ?? 0)
  return Math.max(1, ...sorted.filter((value) => value <= limit))
}

/** Returns how many services it takes to play all of them. */
export function servicesOf(entrants: readonly Entrant[]): number {
  return entrants.reduce((sum, { scenario }) => sum + countServices(scenario), 0)
}

/** Returns whether playing all of them takes only a moment, so that it may begin by itself. */
export function playsAtOnce(entrants: readonly Entrant[]): boolean {
  return servicesOf(entrants) <= 240_000
}

/** Returns the policies to compare that the scenario can be played under, in the order of the list. */
export function chosenFor(scenario: Scenario, chosen: readonly PolicyKind[] | null): readonly PolicyKind[] {
  const kinds = (chosen ?? firstChoice(scenario)).filter((kind) => 'scenario' in underPolicy(scenario, kind))
  return policyKinds.filter((kind) => kinds.includes(kind))
}

/** Returns the scenario under each of the policies that it can be played under. */
export function entrantsUnder(scenario: Scenario, kinds: readonly PolicyKind[]): readonly Entrant[] {
  return kinds.flatMap((kind) => {
    const parsed = underPolicy(scenario, kind)
    return 'scenario' in parsed
      ? [{ key: kind, name: policyName(parsed.scenario.policy), scenario: parsed.scenario }]
      : []
  })
}

/** Returns all that has to be played, in this order: the scenario's own policy first, then the baseline, then the others. */
export function withBaseline(scenario: Scenario, entrants: readonly Entrant[]): readonly Entrant[] {
  const first = entrants.filter(({ key }) => key === scenario.policy.kind)
  const baseline = entrants.some(({ key }) => key === BASELINE) ? [] : entrantsUnder(scenario, [BASELINE])
  return [...first, ...baseline, ...entrants.filter((entrant) => !first.includes(entrant))]
}

/** Returns the runs that are still valid: another policy in the header changes none of them. */
export function stillValid(entrants: readonly Entrant[], runs: ComparedRuns): ComparedRuns {
  return new Map(
    entrants.flatMap(({ key, name, scenario }) => {
      const run = runs.get(key)
      return run !== undefined && comparisonKey(scenario) === comparisonKey(run.scenario)
        ? [[key, { ...run, name }] as const]
        : []
    }),
  )
}

/** Returns the entrants that have to be played. Those that are drawn need a record too. */
export function runsToPlay(
  entrants: readonly Entrant[],
  runs: ComparedRuns,
  isDrawn: (entrant: Entrant) => boolean,
): readonly Entrant[] {
  return entrants.filter((entrant) => {
    const known = runs.get(entrant.key)
    return known === undefined || (known.run === null && isDrawn(entrant))
  })
}

/** Returns the original of a scenario and its branches, as they are played. */
export function entrantsOnBranches(whole: Scenario): readonly Entrant[] {
  const names = [t('Original'), ...branchNames(whole)]
  return membersOf(whole).map((scenario, m) => ({ key: `${m}`, name: names[m], scenario }))
}

interface ComparingState {
  /** The policies that were chosen; null: the ones that suit the scenario. */
  readonly chosen: readonly PolicyKind[] | null
  /** Compare policies although the scenario has branches. */
  readonly byPolicy: boolean
  /** A link asks for the comparison: it is played even if that takes long. */
  readonly asked: boolean
}

export const comparingStore = part(() =>
  createStore<ComparingState>(() => ({ chosen: null, byPolicy: false, asked: false })),
)

export function choosePolicy(session: Session, scenario: Scenario, kind: PolicyKind, isChosen: boolean): void {
  const store = comparingStore(session)
  const others = chosenFor(scenario, store.getState().chosen).filter((other) => other !== kind)
  store.setState({ chosen: isChosen ? [...others, kind].slice(-MAX_COMPARED) : others })
}

/** Returns the scenario under a policy, as a comparison plays it; unchanged if it cannot be played under it. */
export function withPolicy(scenario: Scenario, kind: PolicyKind): Scenario {
  return entrantsUnder(scenario, [kind])[0]?.scenario ?? scenario
}

/** Compares these policies as soon as the panel is open. */
export function comparePolicies(session: Session, kinds: readonly PolicyKind[]): void {
  comparingStore(session).setState({ chosen: kinds, byPolicy: true, asked: true })
}

/** Returns the policies that are compared as a part of the view that a link can carry. */
export function comparedView(session: Session): readonly ViewPart[] {
  const { byPolicy, chosen } = comparingStore(session).getState()
  const { whole, scenario } = scenarioStore(session).getState()
  const kinds = byPolicy || whole.branches.length === 0 ? chosenFor(scenario, chosen) : []
  if (kinds.length === 0) return []
  const names = kinds.map((kind) => kindName(kind, scenario.policy)).join(', ')
  return [
    {
      key: 'policies',
      words: t('Comparing {policies}', { policies: names }),
      meant: true,
      opening: { policies: kinds },
    },
  ]
}

interface ComparedQuestion {
  readonly entrants: readonly Entrant[]
  readonly isDrawn: (entrant: Entrant) => boolean
  /** If the page shows no run, it shows the one of this entrant; null: the first that is there. */
  readonly first: string | null
}

/** Plays, on all cores and in this order, the entrants that have no valid run yet. Finds the runs by the key of the entrant. */
export const comparingStudy = study<ComparedQuestion, ComparedRuns>({
  key: ({ entrants, isDrawn }) => `${entrantsKey(entrants)} ${entrants.map(isDrawn)}`,
  async work({ entrants, isDrawn, first }, { session, signal, progress, before, show }) {
    comparingStore(session).setState({ asked: false })
    allowCode(session, ...entrants.flatMap(({ scenario }) => codeIn(scenario)))
    let runs = stillValid(entrants, before ?? new Map())
    const todo = runsToPlay(entrants, runs, isDrawn)
    const put = (entrant: Entrant, compared: Compared, run: Run | null) => {
      runs = new Map(runs).set(entrant.key, { ...entrant, compared: { ...compared, journals: null }, run })
      show(runs)
    }
    const read = async (entrant: Entrant, compared: Compared) => {
      signal.throwIfAborted()
      const note = t('A run of the comparison: {name}.', { name: entrant.name })
      const run = await runOfJournals(entrant.scenario, compared, note)
      put(entrant, compared, run)
      if ((first === null || first === entrant.key) && runStore(session).getState().run === null)
        void showRun(session, run, 0)
    }
    show(runs)
    // The figures are ready first; the records are read afterwards, one by one.
    let reading = Promise.resolve()
    const jobs = todo.map((entrant) => ({ scenario: entrant.scenario, record: isDrawn(entrant) }))
    await runJobs('compare', jobs, {
      signal,
      progress,
      answer(k, compared) {
        put(todo[k], compared, null)
        if (compared.journals !== null) reading = reading.then(() => read(todo[k], compared))
        reading.catch(() => {})
      },
    })
    await reading
    return runs
  },
})

/** Shows a run on the page, at an instant, and its scenario on the canvas. */
export async function showComparedRun(session: Session, run: Run, time: Micros): Promise<void> {
  if (runStore(session).getState().run !== run) await showRun(session, run, Math.min(time, endOf(run.trace)))
  const { scenario, shown } = scenarioStore(session).getState()
  if (shown === null && !same(playedParts(scenario), playedParts(run.scenario)))
    editOrShowProblems(session, (now) => ({ ...withAppearance(run.scenario, now), branches: now.branches }))
  seek(session, time)
}
