import { createStore } from 'zustand/vanilla'
import { runOfJournals } from '../../../app/compare/policies/runOfJournals.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { sessionJob } from '../../../app/session/run/sessionJobs.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import type { Steps } from '../../../measures/series/steps.ts'
import { inSlices, ROWS_A_STEP, stepInSlices } from '../../../runs/remote/inSlices.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { initialWorkerCount } from '../../../scenario/model/defaults.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { type Divergence, divergenceOf, jobsInSystem, lagOf } from '../measure/divergence.ts'
import { type Residual, residualInSteps, residualRefusal } from '../measure/residual.ts'

/** A real run with its simulation laid over it. */
export interface Overlay {
  readonly run: Run
  /** How many cores were simulated. */
  readonly cores: number
  readonly found: RealityResult | null
  /** Why the simulation cannot be compared with the run. */
  readonly refusal: string | null
}

/** How the two runs differ. */
export interface RealityResult {
  readonly simulated: Run
  readonly residual: Residual
  readonly divergence: Divergence
  /** Jobs in the system over time, of the real run and simulated. */
  readonly jobs: readonly [Steps, Steps]
  /** By how much later each job left, in the order of leaving in the real run. */
  readonly lag: Float64Array
}

/** The overlay of the run on the page; another run ends it. */
export const realityStore = part((session) => {
  const store = createStore<{ readonly overlay: Overlay | null }>(() => ({ overlay: null }))
  session.onEnd(
    runStore(session).subscribe(({ run }) => {
      const { overlay } = store.getState()
      if (overlay === null || overlay.run === run) return
      realityJob(session).cancel()
      store.setState({ overlay: null })
    }),
  )
  return store
})

/** Plays the simulation and compares it with the real run. */
export const realityJob = sessionJob<void>()

/** Returns on how many cores a real run is simulated: in a room each worker has one of its own. */
export function coresOf({ trace, scenario }: Pick<Run, 'trace' | 'scenario'>): number {
  return trace.engine === 'room' ? Math.max(scenario.cores, initialWorkerCount(scenario)) : scenario.cores
}

/** Returns the scenario as it is simulated beside a real run: on so many cores, all the time. */
export function onCores(scenario: Scenario, cores: number): Scenario {
  return { ...scenario, cores, later: withoutKey(scenario.later, 'cores') }
}

/** Plays the scenario of a real run that has ended in the simulation, on so many cores, and compares the two. */
export function compareWithSimulation(session: Session, run: Run, cores: number): Promise<void> {
  const store = realityStore(session)
  const { overlay } = store.getState()
  // On other cores the same run is simulated again: what is there stays until then.
  store.setState({ overlay: { run, cores, found: overlay?.run === run ? overlay.found : null, refusal: null } })
  const scenario = onCores(run.scenario, cores)
  return realityJob(session).run(async ({ signal, progress }) => {
    const played = await runJob('compare', { scenario, record: true }, { signal, progress })
    const simulated = await runOfJournals(scenario, played, played.journals ?? [], t('What the simulation makes of a real run.'))
    const refusal = residualRefusal(simulated.trace)
    const found = refusal === null ? await compare(run, simulated, () => !signal.aborted) : null
    signal.throwIfAborted()
    store.setState({
      overlay: {
        run,
        cores,
        found,
        refusal: refusal === null ? null : t('The simulation of this run does not finish, so it cannot be compared: {refusal}.', { refusal }),
      },
    })
  })
}

/** Returns how the runs differ; null if it is not wanted any more. */
async function compare(run: Run, simulated: Run, wanted: () => boolean): Promise<RealityResult | null> {
  await stepInSlices(() => extendChart(run.chart, ROWS_A_STEP))
  const residual = await inSlices(residualInSteps(run.trace, simulated.trace), wanted)
  if (residual === null) return null
  const [real, other] = [run.chart.departures, simulated.chart.departures]
  const divergence = divergenceOf(run.trace, simulated.trace, real, other)
  return { simulated, residual, divergence, jobs: [jobsInSystem(run.chart), jobsInSystem(simulated.chart)], lag: lagOf(real, other) }
}
