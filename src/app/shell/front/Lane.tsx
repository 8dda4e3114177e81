import { useMemo, useRef } from 'react'
import { t } from '../../../language/translate.ts'
import { frameAt, isPresent, serviceIn } from '../../../measures/frame/frame.ts'
import { progressAt } from '../../../measures/series/lanes.ts'
import { greatest } from '../../../measures/series/steps.ts'
import { NONE } from '../../../pipeline/rows.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { endOf } from '../../../trace/trace.ts'
import { count, seconds } from '../../../views/drawing/format.ts'
import type { Palette } from '../../../views/drawing/palette.ts'
import { setText } from '../../../views/drawing/svg.ts'
import { type LaneData, mountLane } from '../../../views/pipeline/lane.ts'
import { serviceNote } from '../../../views/pipeline/stageCard.ts'
import type { WorkerDisc } from '../../../views/pipeline/workerDiscs.ts'
import { currentPalette, themeStore } from '../../base/page/theme.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { onScene } from '../../session/page/painter.ts'
import { playback } from '../../session/run/playback.ts'
import type { Run } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import type { TwoRuns } from './twoRuns.ts'

interface Props {
  readonly name: string
  readonly policy: string
  readonly scenario: Scenario
  readonly run: Run | null
  /** The longest queue of both runs. */
  readonly most: number
  /** Shows the beginning, the middle and the end of the run side by side, without motion. */
  readonly still: boolean
}

/** One way to use the workers: the pipeline at the playhead, and how many jobs have left it. */
export function Lane({ name, policy, still, ...shown }: Props) {
  const end = shown.run === null ? 0 : endOf(shown.run.trace)
  return (
    <section className="lane">
      <header>
        <h3>{name}</h3>
        <span className="soft">{policy}</span>
      </header>
      <div className="lane-frames">
        {(still && end > 0 ? [0, end / 2, end] : [null]).map((at) => (
          <Frame key={at} name={name} {...shown} at={at} />
        ))}
      </div>
    </section>
  )
}

/** The lane at an instant; null: at the playhead. */
function Frame({ name, scenario, run, most, at }: Omit<Props, 'policy' | 'still'> & { readonly at: Micros | null }) {
  const session = useSession()
  const out = useRef<HTMLSpanElement>(null)
  const jobs = countJobs(scenario.source)
  const homes = useMemo(() => (run === null ? [] : homesOf(run)), [run])
  const host = useDrawing(
    mountLane,
    (lane) =>
      onScene(session, () => {
        // The page may be drawn before its colours are known.
        if (themeStore.getState().palette === null) return
        const time = at ?? playback(session).time
        lane.update(
          run === null ? restingLane(currentPalette(), scenario) : laneDataAt(currentPalette(), run, homes, time, most),
        )
        if (out.current !== null) setText(out.current, outWords(run, time, jobs, at !== null))
      }),
    [run, homes, most, scenario, session, at],
  )
  return (
    <figure>
      <figcaption ref={out} className="lane-out">
        {outWords(null, 0, jobs)}
      </figcaption>
      <div ref={host} className="lane-picture" role="img" aria-label={name} />
    </figure>
  )
}

/** Returns how many jobs are out, and when the last one was. `dated`: it also says at what time. */
function outWords(run: Run | null, time: number, jobs: number, dated = false): string {
  const end = run === null ? Infinity : endOf(run.trace)
  if (time >= end)
    return t('{n, plural, one {# job} other {all # jobs}} out after {time}', { n: jobs, time: seconds(end, 1) })
  const out = t('{out} of {n, plural, one {# job} other {# jobs}} out', {
    out: count(run === null ? 0 : frameAt(run.trace, time).released),
    n: jobs,
  })
  return dated ? `${seconds(time, 1)}: ${out}` : out
}

/** Returns the longest queue of both runs: dots have one size in both lanes. */
export function longestQueue({ fixed, moved }: TwoRuns): number {
  return Math.max(...[fixed, moved].flatMap(({ chart }) => chart.queues.map(greatest)))
}

/** Returns what a lane shows before its run. Each worker is at its stage of the upper lane. */
export function restingLane(palette: Palette, { stages, workers }: Scenario): LaneData {
  const all = Array.from({ length: workers }, (_, w) => discOf(w, null, true))
  return {
    palette,
    stages: stages.map(({ name }, s) => ({
      name,
      colourIndex: s,
      waiting: 0,
      workers: all.filter((_, w) => homeOf(w, workers, stages.length) === s),
    })),
    most: 0,
    workers,
    noted: changes(stages),
  }
}

/** Returns where each worker of a run stands before it begins: at its stage if it keeps one, else where it stood before the run. */
export function homesOf({ scenario, trace }: Run): readonly number[] {
  const { stages, workers, policy } = scenario
  const last = policy.kind === 'fixed' ? frameAt(trace, endOf(trace)).workers.map(({ stage }) => stage) : []
  return Array.from({ length: workers }, (_, w) =>
    (last[w] ?? NONE) === NONE ? homeOf(w, workers, stages.length) : last[w],
  )
}

export function laneDataAt(
  palette: Palette,
  { scenario, trace, chart }: Run,
  homes: readonly number[],
  time: Micros,
  most: number,
): LaneData {
  const { stages, workers } = scenario
  const frame = frameAt(trace, time)
  // Discs are numbered from the first stage to the last, so that each stands where it stood before the run.
  const byHome = Array.from(homes.keys()).sort((a, b) => homes[a] - homes[b] || a - b)
  const placed = byHome.flatMap((w, n) => {
    const worker = frame.workers[w]
    if (worker.stage !== NONE && !isPresent(worker)) return []
    const stage = worker.stage === NONE ? homes[w] : worker.stage
    const busy = worker.status === 'busy'
    return [{ stage, disc: discOf(n, busy ? progressAt(chart.lanes, w, time) : null, !busy) }]
  })
  return {
    palette,
    stages: stages.map(({ name }, s) => {
      const placedHere = placed.filter(({ stage }) => stage === s)
      const note = serviceNote(serviceIn(chart, frame, s), false)
      return {
        name,
        colourIndex: s,
        waiting: frame.stages[s].waiting,
        workers: placedHere.map(({ disc }) => disc),
        note,
      }
    }),
    most,
    workers,
    noted: changes(stages),
  }
}

const changes = (stages: Scenario['stages']) => stages.some((stage) => stage.changes.length > 0)

const discOf = (w: number, progress: number | null, idle: boolean): WorkerDisc => ({
  worker: w + 1,
  progress,
  waits: false,
  followed: false,
  idle,
})

const homeOf = (w: number, workers: number, stages: number): number => Math.floor((w * stages) / workers)
