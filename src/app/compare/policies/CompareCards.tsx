import { useEffect, useRef } from 'react'
import { t } from '../../../language/translate.ts'
import { frameAt, isThere } from '../../../measures/frame/frame.ts'
import { greatest } from '../../../measures/series/steps.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { count, seconds } from '../../../views/drawing/format.ts'
import { mountParliament } from '../../../views/parliament/parliament.ts'
import { mountQueueStrip, stripHeight } from '../../../views/timeline/queueStrip.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { onScene, repaint } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { seek } from '../../session/run/playhead.ts'
import type { Run } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import type { ComparedRun, Entrant } from './entrants.ts'

interface CardsProps {
  readonly entrants: readonly Entrant[]
  readonly runs: ReadonlyMap<string, ComparedRun>
  /** Puts the run of one on the page. */
  open(entrant: Entrant, run: Run, time: Micros): void
  /** Makes the scenario of one the scenario; null: there is nothing to be made of it. */
  readonly take: ((entrant: Entrant) => void) | null
}

/** A card an entrant: who sits where at the playhead, and its queues over time, all on one scale and one axis. */
export function CompareCards({ entrants, runs, open, take }: CardsProps) {
  const session = useSession()
  const all = entrants.flatMap((entrant) => {
    const run = runs.get(entrant.key)?.run
    return run ? [{ entrant, run }] : []
  })
  const ends = all.map(({ run }) => endOf(run.trace))
  const until = Math.max(1, ...ends)
  // One that takes ten times as long would leave the others no room: the axis ends at twice the shortest, and goes with the playhead beyond.
  const near = Math.min(until, 2 * Math.min(...ends))
  const most = Math.max(1, ...all.flatMap(({ run }) => run.chart.queues.map(greatest)))
  return (
    <ul className="compare-cards" aria-label={t('Side by side')}>
      {all.map(({ entrant, run }) => (
        <Card
          key={entrant.key}
          name={entrant.name}
          run={run}
          near={near}
          most={most}
          open={() => open(entrant, run, playback(session).time)}
          take={take === null ? null : () => take(entrant)}
        />
      ))}
    </ul>
  )
}

interface CardProps {
  readonly name: string
  readonly run: Run
  /** The end of the axis while the playhead is before it, and the length at the rim of a queue. */
  readonly near: number
  readonly most: number
  open(): void
  readonly take: (() => void) | null
}

function Card({ name, run, near, most, open, take }: CardProps) {
  const session = useSession()
  const seatsHost = useRef<HTMLDivElement>(null)
  const stripHost = useRef<HTMLDivElement>(null)
  const said = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (seatsHost.current === null || stripHost.current === null) return
    const parliament = mountParliament(seatsHost.current)
    const strip = mountQueueStrip(stripHost.current, { seek: (time) => seek(session, time) })
    const { scenario, trace, chart } = run
    const line = stageNumbers(scenario)
    const stages = scenario.stages.map((stage, s) => ({ name: stage.name, colourIndex: s }))
    const end = onScene(session, () => {
      const time = Math.min(playback(session).time, endOf(trace))
      const frame = frameAt(trace, time)
      const palette = currentPalette()
      parliament.update({
        palette,
        workers: frame.workers.filter(isThere).length,
        seats: line.map((s) => frame.stages[s].seats),
        posted: line.map((s) => frame.stages[s].posted),
        colourIndex: line,
        caption: isElastic(scenario.policy) ? t('hired') : t('workers'),
      })
      strip.update({
        palette,
        queues: chart.queues,
        stageOrder: line,
        stages,
        most,
        end: endOf(trace),
        until: Math.max(near, playback(session).time),
        playhead: playback(session).time,
      })
      if (said.current !== null) {
        const out = frame.released + frame.failed
        said.current.textContent = t('{out} of {arrived} out', { out: count(out), arrived: count(trace.head.counts.arrived) })
      }
    })
    const sized = new ResizeObserver(() => {
      strip.resize()
      repaint(session)
    })
    sized.observe(stripHost.current)
    return () => {
      end()
      sized.disconnect()
      parliament.destroy()
      strip.destroy()
    }
  }, [run, near, most, session])
  return (
    <li className="compare-card">
      <header>
        <h3>{name}</h3>
        <span ref={said} className="soft" />
        <button
          type="button"
          className="link"
          aria-label={t('Open {name}', { name })}
          title={t('Puts this run on the page, with its decisions')}
          onClick={open}
        >
          {t('Open')}
        </button>
        {take !== null && (
          <button type="button" className="link" aria-label={t('Take {name}', { name })} title={t('Makes it the policy of the scenario')} onClick={take}>
            {t('Take')}
          </button>
        )}
      </header>
      <div className="compare-seats" ref={seatsHost} />
      <div
        className="compare-queues"
        ref={stripHost}
        style={{ height: stripHeight(run.scenario.stages.length) }}
        role="img"
        aria-label={t('Queues of {name}, done after {trace}', { name, trace: seconds(endOf(run.trace)) })}
      />
    </li>
  )
}
