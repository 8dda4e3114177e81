import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { boundFor, type LowerBound, lowerBoundInSteps } from '../../../measures/figures/lowerBound.ts'
import { type Metrics, metricsInSteps } from '../../../measures/figures/metrics.ts'
import { inSlices } from '../../../runs/remote/inSlices.ts'
import type { ResultSection } from '../../session/features/feature.ts'
import { featuresOf } from '../../session/features/features.tsx'
import { hidesEnd } from '../../session/run/hiddenEnd.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'

export interface RunResults {
  readonly run: Run
  readonly figures: Metrics
  readonly bound: LowerBound
  /** The sections of features, each with its data. */
  readonly sections: readonly { readonly Section: ResultSection['Section']; readonly found: unknown }[]
}

/** Worked out once a run, so that the panel opens again at once. */
const resultsByRun = new WeakMap<Run, RunResults>()

const resultSections = part((): { fetched: readonly ResultSection[] | null } => ({ fetched: null }))

/** Fetches the sections of features. If one cannot be fetched, the results are shown without it. */
export async function fetchResultSections(session: Session): Promise<readonly ResultSection[]> {
  const kept = resultSections(session)
  if (kept.fetched !== null) return kept.fetched
  const all = await Promise.allSettled(featuresOf(session).flatMap(({ results }) => results?.() ?? []))
  const fetched = all.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  if (fetched.length === all.length) kept.fetched = fetched
  return fetched
}

/** Returns the figures of the run on the page once it has ended and they are worked out; null before. */
export function useRunResults(): RunResults | null {
  const session = useSession()
  const run = useStore(runStore(session), (state) => (state.phase === 'ended' && !hidesEnd(session) ? state.run : null))
  const [shown, setShown] = useState<RunResults | null>(() => (run === null ? null : (resultsByRun.get(run) ?? null)))
  useEffect(() => {
    let wanted = run !== null
    setShown(run === null ? null : (resultsByRun.get(run) ?? null))
    if (run === null || resultsByRun.has(run)) return
    void fetchResultSections(session)
      .then((sections) => inSlices(figuresOfRun(run, sections), () => wanted))
      .then((result) => {
        if (result === null) return
        resultsByRun.set(run, result)
        setShown(result)
      })
    return () => {
      wanted = false
    }
  }, [run, session])
  return shown
}

/** Returns the results of an ended run at once, for callers that cannot wait: with the sections fetched so far. */
export function resultsNow(session: Session, run: Run): void {
  if (resultsByRun.has(run)) return
  const steps = figuresOfRun(run, resultSections(session).fetched ?? [])
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  resultsByRun.set(run, step.value)
}

function* figuresOfRun(run: Run, sections: readonly ResultSection[]): Generator<void, RunResults> {
  run.figures ??= yield* metricsInSteps(run.trace)
  const { figures } = run
  const proven = yield* lowerBoundInSteps(run.scenario)
  const bound = boundFor(proven, run.trace, figures.makespan)
  const found: RunResults['sections'][number][] = []
  for (const { inSteps, Section } of sections) found.push({ Section, found: yield* inSteps(run) })
  return { run, figures, bound, sections: found }
}
