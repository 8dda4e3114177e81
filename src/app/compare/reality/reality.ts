import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { type Divergence, divergenceOf, jobsInSystem, lagOf } from '../../../measures/reality/divergence.ts'
import { type Residual, residualInSteps, residualRefusal } from '../../../measures/reality/residual.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import type { Steps } from '../../../measures/series/steps.ts'
import { inSlices, ROWS_A_STEP, stepInSlices } from '../../../runs/remote/inSlices.ts'
import { Cancelled, runJob } from '../../../runs/remote/jobThreads.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { takeIn } from '../policies/comparing.ts'

/** A real run with its simulation laid over it. */
export interface Overlay {
  readonly run: Run
  /** How many cores were simulated. */
  readonly cores: number
  readonly phase: 'playing' | 'done' | 'stopped'
  readonly share: number
  readonly found: RealityResult | null
  /** Why there is nothing to see. */
  readonly reason: string | null
}

/** What the two amount to beside each other. */
export interface RealityResult {
  readonly simulated: Run
  readonly residual: Residual
  readonly divergence: Divergence
  /** Jobs in the system over time, on threads and simulated. */
  readonly jobs: readonly [Steps, Steps]
  /** By how much later each job left, in order of leaving on threads. */
  readonly lag: Float64Array
}

/** It outlives the panel, so that one may look elsewhere meanwhile; another run ends it. */
export const realityStore = createStore<{ readonly overlay: Overlay | null }>(() => ({ overlay: null }))

let handle: AbortController | null = null

runStore.subscribe(({ run }) => {
  const { overlay } = realityStore.getState()
  if (overlay === null || overlay.run === run) return
  cancelOverlay()
  realityStore.setState({ overlay: null })
})

/** Plays the scenario of a real run that has ended in the simulation, on so many cores, and holds the two against each other. */
export async function layOver(run: Run, cores: number): Promise<void> {
  handle?.abort()
  const { overlay } = realityStore.getState()
  // On other cores the same run is laid over anew: till then what is there stays.
  const found = overlay?.run === run ? overlay.found : null
  realityStore.setState({ overlay: { run, cores, phase: 'playing', share: 0, found, reason: null } })
  const scenario = { ...run.scenario, cores, later: withoutKey(run.scenario.later, 'cores') }
  const mine = new AbortController()
  handle = mine
  try {
    const played = await runJob('compare', { scenario, record: true }, { signal: mine.signal, progress: (share) => mine === handle && tell({ share }) })
    const simulated = await takeIn(scenario, played, played.journals ?? [], t('What the simulation makes of a real run.'))
    const compared = await compare(run, simulated, () => mine === handle)
    if (compared !== null) tell({ phase: 'done', ...compared })
  } catch (error) {
    if (!(error instanceof Cancelled) && mine === handle) tell({ phase: 'stopped', reason: error instanceof Error ? error.message : String(error) })
  }
}

/** Ends it, if it is under way. */
export function cancelOverlay(): void {
  handle?.abort()
  handle = null
  if (realityStore.getState().overlay?.phase === 'playing') tell({ phase: 'stopped' })
}

async function compare(run: Run, simulated: Run, wanted: () => boolean): Promise<Pick<Overlay, 'found' | 'reason'> | null> {
  const refusal = residualRefusal(simulated.trace)
  if (refusal !== null) return { found: null, reason: t('The simulation of this run comes to no end that could be held against it: {refusal}.', { refusal }) }
  await stepInSlices(() => extendChart(run.chart, run.trace, ROWS_A_STEP))
  const residual = await inSlices(residualInSteps(run.trace, simulated.trace), wanted)
  if (residual === null) return null
  const [left, foretold] = [run.chart.departures, simulated.chart.departures]
  const divergence = divergenceOf(run.trace, simulated.trace, left, foretold)
  const jobs = [jobsInSystem(run.chart), jobsInSystem(simulated.chart)] as const
  return { found: { simulated, residual, divergence, jobs, lag: lagOf(left, foretold) }, reason: null }
}

function tell(patch: Partial<Overlay>): void {
  const { overlay } = realityStore.getState()
  if (overlay !== null) realityStore.setState({ overlay: { ...overlay, ...patch } })
}
