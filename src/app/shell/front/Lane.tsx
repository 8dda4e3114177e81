import { useMemo, useRef } from 'react'
import { t } from '../../../language/translate.ts'
import { frameAt } from '../../../measures/frame/frame.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { endOf } from '../../../trace/trace.ts'
import { count, seconds } from '../../../views/drawing/format.ts'
import { setText } from '../../../views/drawing/svg.ts'
import { mountLane } from '../../../views/pipeline/lane.ts'
import { currentPalette, themeStore } from '../../base/page/theme.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { onScene } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import type { Run } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import { homesOf, laneDataAt, restingLane } from './laneData.ts'

interface Props {
  readonly name: string
  readonly policy: string
  readonly scenario: Scenario
  /** Null until both runs are there. */
  readonly run: Run | null
  /** The longest queue of both runs. */
  readonly most: number
}

/** One way to use the workers: the pipeline at the playhead, and how many jobs have left it. */
export function Lane({ name, policy, scenario, run, most }: Props) {
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
        const { time } = playback(session)
        lane.update(run === null ? restingLane(currentPalette(), scenario) : laneDataAt(currentPalette(), run, homes, time, most))
        if (out.current !== null) setText(out.current, outWords(run, time, jobs))
      }),
    [run, homes, most, scenario, session],
  )
  return (
    <section className="lane">
      <header>
        <h3>{name}</h3>
        <span className="soft">{policy}</span>
        <span ref={out} className="lane-out">
          {outWords(null, 0, jobs)}
        </span>
      </header>
      <div ref={host} className="lane-picture" role="img" aria-label={t('Queues and workers: {name}', { name })} />
    </section>
  )
}

/** Returns how many jobs are out, and when the last one was. */
function outWords(run: Run | null, time: number, jobs: number): string {
  const end = run === null ? Infinity : endOf(run.trace)
  if (time >= end) return t('{n, plural, one {# job} other {all # jobs}} out after {time}', { n: jobs, time: seconds(end, 1) })
  return t('{out} of {n, plural, one {# job} other {# jobs}} out', { out: count(run === null ? 0 : frameAt(run.trace, time).released), n: jobs })
}
