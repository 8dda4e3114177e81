import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Forecast } from '../../../features/theory/measure/forecast.ts'
import { theoryOf } from '../../../features/theory/measure/theory.ts'
import { type LowerBound, lowerBoundInSteps } from '../../../measures/figures/lowerBound.ts'
import { type Metrics, metricsInSteps } from '../../../measures/figures/metrics.ts'
import { type SteadyState, steadyInSteps } from '../../../measures/figures/steadyState.ts'
import { inSlices } from '../../../runs/remote/inSlices.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'

/** The figures of a run that has ended. */
export interface RunResults {
  readonly run: Run
  readonly figures: Metrics
  readonly bound: LowerBound
  readonly theory: Forecast | { readonly reasons: readonly string[] }
  /** With intervals, to compare with theory; null if there is no theory or too little to measure. */
  readonly steady: SteadyState | null
}

/** Worked out once a run, so that the panel opens again at once. */
const known = new WeakMap<Run, RunResults>()

/** Returns the figures of the run on the page once it has ended and they are worked out; null before. */
export function useRunResults(): RunResults | null {
  const session = useSession()
  const run = useStore(runStore(session), (state) => (state.phase === 'ended' ? state.run : null))
  const [shown, setShown] = useState<RunResults | null>(() => (run === null ? null : (known.get(run) ?? null)))
  useEffect(() => {
    let wanted = run !== null
    setShown(run === null ? null : (known.get(run) ?? null))
    if (run === null || known.has(run)) return
    void inSlices(figuresOfRun(run), () => wanted).then((result) => {
      if (result === null) return
      known.set(run, result)
      setShown(result)
    })
    return () => {
      wanted = false
    }
  }, [run])
  return shown
}

/** Works out the figures of a run that has ended without a pause, for what cannot wait. */
export function resultsNow(run: Run): void {
  if (known.has(run)) return
  const steps = figuresOfRun(run)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  known.set(run, step.value)
}

function* figuresOfRun(run: Run): Generator<void, RunResults> {
  const { trace, scenario } = run
  const theory = theoryOf(scenario)
  const figures = yield* metricsInSteps(trace)
  const bound = yield* lowerBoundInSteps(scenario)
  const steady = 'reasons' in theory || theory.law === 'line' ? null : yield* steadyInSteps(trace)
  return { run, figures, bound, theory, steady }
}
