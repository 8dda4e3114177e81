import { createStore } from 'zustand/vanilla'
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
import { type Compared, MAX_COMPARED, underPolicy } from '../../../runs/study/compare.ts'
import { kindName } from '../../../scenario/model/policies.ts'
import type { Micros, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { type ComparedRuns, chosenFor, type Entrant, entrantsKey, runsToPlay, stillValid } from './entrants.ts'

interface ComparingState {
  /** The policies that were chosen; null: the ones that suit the scenario. */
  readonly chosen: readonly PolicyKind[] | null
  /** Compare policies although the scenario has branches. */
  readonly byPolicy: boolean
  /** A link asks for it: play it however long that takes. */
  readonly asked: boolean
}

export const comparingStore = part(() => createStore<ComparingState>(() => ({ chosen: null, byPolicy: false, asked: false })))

export function choosePolicy(session: Session, scenario: Scenario, kind: PolicyKind, taken: boolean): void {
  const store = comparingStore(session)
  const others = chosenFor(scenario, store.getState().chosen).filter((each) => each !== kind)
  store.setState({ chosen: taken ? [...others, kind].slice(-MAX_COMPARED) : others })
}

/** Makes a policy that of the scenario on the canvas, as a comparison plays it. */
export function takePolicy(session: Session, kind: PolicyKind): void {
  editOrShowProblems(session, (now) => {
    const parsed = underPolicy(now, kind)
    return 'scenario' in parsed ? parsed.scenario : now
  })
}

/** Has these policies compared as soon as the panel is open. */
export function comparePolicies(session: Session, kinds: readonly PolicyKind[]): void {
  comparingStore(session).setState({ chosen: kinds, byPolicy: true, asked: true })
}

/** Returns the policies that are compared as a part of the view that a link can carry. */
export function comparedView(session: Session): readonly ViewPart[] {
  const { byPolicy, chosen } = comparingStore(session).getState()
  const { whole, scenario } = scenarioStore(session).getState()
  const policies = byPolicy || whole.branches.length === 0 ? chosenFor(scenario, chosen) : []
  if (policies.length === 0) return []
  const names = policies.map((kind) => kindName(kind, scenario.policy)).join(', ')
  return [{ key: 'policies', words: t('Comparing {policies}', { policies: names }), meant: true, opening: { policies } }]
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
      const run = await runOfJournals(entrant.scenario, compared, compared.journals ?? [], t('A run of the comparison: {name}.', { name: entrant.name }))
      put(entrant, compared, run)
      if ((first === null || first === entrant.key) && runStore(session).getState().run === null) void showRun(session, run, 0)
    }
    show(runs)
    /** The figures come first; records are read one after the other behind them. */
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

/** Shows a run on the page, at an instant. */
export async function showComparedRun(session: Session, run: Run, time: Micros): Promise<void> {
  if (runStore(session).getState().run !== run) await showRun(session, run, Math.min(time, endOf(run.trace)))
  seek(session, time)
}
