import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { type Divergence, divergenceOf, jobsInSystem, lagOf } from '../../../measures/reality/divergence.ts'
import { type Residual, residualInSteps, residualRefusal } from '../../../measures/reality/residual.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import type { Steps } from '../../../measures/series/steps.ts'
import { inSlices, ROWS_A_STEP, stepInSlices } from '../../../runs/remote/inSlices.ts'
import { type PlaysHandle, startPlays } from '../../../runs/remote/remoteCompare.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'
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
export const realityStore = part((session) => {
  session.onEnd(
    runStore(session).subscribe(({ run }) => {
      const { overlay } = realityStore(session).getState()
      if (overlay === null || overlay.run === run) return
      cancelOverlay(session)
      realityStore(session).setState({ overlay: null })
    }),
  )
  return createStore<{ readonly overlay: Overlay | null }>(() => ({ overlay: null }))
})

interface Own {
  handle: PlaysHandle | null
}

const own = part(
  (): Own => ({
    handle: null,
  }),
)

/** Plays the scenario of a real run that has ended in the simulation, on so many cores, and holds the two against each other. */
export async function layOver(session: Session, run: Run, cores: number): Promise<void> {
  own(session).handle?.stop()
  const { overlay } = realityStore(session).getState()
  // On other cores the same run is laid over anew: till then what is there stays.
  const found = overlay?.run === run ? overlay.found : null
  realityStore(session).setState({ overlay: { run, cores, phase: 'playing', share: 0, found, reason: null } })
  const scenario = { ...run.scenario, cores, later: withoutKey(run.scenario.later, 'cores') }
  const simulated: Promise<Run>[] = []
  const mine = startPlays([{ scenario, record: true }], {
    answer(_, compared) {
      simulated.push(takeIn(scenario, compared, compared.journals ?? [], t('What the simulation makes of a real run.')))
    },
    progress: (share) => mine === own(session).handle && tell(session, { share }),
  })
  own(session).handle = mine
  try {
    if (!(await mine.finished)) return
    const compared = await compare(run, await simulated[0], () => mine === own(session).handle)
    if (compared !== null) tell(session, { phase: 'done', ...compared })
  } catch (error) {
    if (mine === own(session).handle) tell(session, { phase: 'stopped', reason: error instanceof Error ? error.message : String(error) })
  }
}

/** Ends it, if it is under way. */
export function cancelOverlay(session: Session): void {
  own(session).handle?.stop()
  own(session).handle = null
  if (realityStore(session).getState().overlay?.phase === 'playing') tell(session, { phase: 'stopped' })
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

function tell(session: Session, patch: Partial<Overlay>): void {
  const { overlay } = realityStore(session).getState()
  if (overlay !== null) realityStore(session).setState({ overlay: { ...overlay, ...patch } })
}
