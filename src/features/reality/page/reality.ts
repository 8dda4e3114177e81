import type { Run } from '../../../app/session/run/runStore.ts'
import { runOfJournals } from '../../../app/session/study/runOfJournals.ts'
import { study } from '../../../app/session/study/study.ts'
import { t } from '../../../language/translate.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import type { Steps } from '../../../measures/series/steps.ts'
import { inSlices, ROWS_A_STEP, stepInSlices } from '../../../runs/remote/inSlices.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { onCores } from '../../compare/page/judging.ts'
import {
  type Divergence,
  divergenceOf,
  jobsInSystem,
  lagOf,
  type Residual,
  residualInSteps,
  residualRefusal,
} from '../measure/residual.ts'

/** The simulation of a real run. */
export interface Overlay {
  /** How many cores were simulated. */
  readonly cores: number
  readonly result: RealityResult | null
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

/** A real run that has ended, and how many cores are simulated. */
export type RealityQuestion = { readonly run: Run; readonly cores: number }

/** Plays the scenario of a real run in the simulation, on this number of cores, and compares the two. */
export const realityStudy = study<RealityQuestion, Overlay>({
  key: ({ run }) => run,
  ofRun: true,
  async work({ run, cores }, { signal, progress, before, show }) {
    // On other cores the same run is simulated again: the old result stays until then.
    show({ cores, result: before?.result ?? null, refusal: null })
    const scenario = onCores(run.scenario, cores)
    const played = await runJob('compare', { scenario, record: true }, { signal, progress })
    const simulated = await runOfJournals(scenario, played, t('The simulation of a real run.'))
    const refusal = residualRefusal(simulated.trace)
    if (refusal === null) return { cores, result: await compare(run, simulated, () => !signal.aborted), refusal }
    return {
      cores,
      result: null,
      refusal: t('This run cannot be compared with its simulation: {refusal}.', { refusal }),
    }
  },
})

/** Returns how the runs differ; null if it is not wanted any more. */
async function compare(run: Run, simulated: Run, wanted: () => boolean): Promise<RealityResult | null> {
  await stepInSlices(() => extendChart(run.chart, ROWS_A_STEP))
  const residual = await inSlices(residualInSteps(run.trace, simulated.trace), wanted)
  if (residual === null) return null
  const [real, other] = [run.chart.departures, simulated.chart.departures]
  const divergence = divergenceOf(run.trace, simulated.trace, real, other)
  return {
    simulated,
    residual,
    divergence,
    jobs: [jobsInSystem(run.chart), jobsInSystem(simulated.chart)],
    lag: lagOf(real, other),
  }
}
