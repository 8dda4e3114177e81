import { useRef } from 'react'
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
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { onScene } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { seek } from '../../session/run/playhead.ts'
import type { Run } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import type { ComparedRun, Entrant } from './entrants.ts'

interface CardsProps {
  readonly entrants: readonly Entrant[]
  readonly runs: ReadonlyMap<string, ComparedRun>
  /** Shows the run of an entrant on the page. */
  open(entrant: Entrant, run: Run, time: Micros): void
  /** Makes the policy of an entrant that of the scenario; null if the entrants are no policies. */
  readonly take: ((entrant: Entrant) => void) | null
}

/** A card for each entrant: the seats at the playhead and the queues over time, all on one scale and one axis. */
export function CompareCards({ entrants, runs, open, take }: CardsProps) {
  const session = useSession()
  const all = entrants.flatMap((entrant) => {
    const run = runs.get(entrant.key)?.run
    return run ? [{ entrant, run }] : []
  })
  const ends = all.map(({ run }) => endOf(run.trace))
  const until = Math.max(1, ...ends)
  // A very long run would leave the others no room. The axis ends at twice the shortest run and follows the playhead beyond.
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
  /** The end of the axis until the playhead passes it, and the longest queue that the axis shows. */
  readonly near: number
  readonly most: number
  open(): void
  readonly take: (() => void) | null
}

function Card({ name, run, near, most, open, take }: CardProps) {
  const session = useSession()
  const out = useRef<HTMLSpanElement>(null)
  const { scenario, trace } = run
  const stageOrder = stageNumbers(scenario)
  const seatsHost = useDrawing(
    mountParliament,
    (parliament) =>
      onScene(session, () => {
        const frame = frameAt(trace, Math.min(playback(session).time, endOf(trace)))
        parliament.update({
          palette: currentPalette(),
          workers: frame.workers.filter(isThere).length,
          seats: stageOrder.map((s) => frame.stages[s].seats),
          posted: stageOrder.map((s) => frame.stages[s].posted),
          colourIndex: stageOrder,
          caption: isElastic(scenario.policy) ? t('hired') : t('workers'),
        })
        if (out.current === null) return
        const left = count(frame.released + frame.failed)
        out.current.textContent = t('{out} of {arrived} out', { out: left, arrived: count(trace.head.counts.arrived) })
      }),
    [run, session],
  )
  const stripHost = useDrawing(
    (host) => mountQueueStrip(host, { seek: (time) => seek(session, time) }),
    (strip) => {
      const stages = scenario.stages.map((stage, s) => ({ name: stage.name, colourIndex: s }))
      return onScene(session, () => {
        const { time } = playback(session)
        strip.update({
          palette: currentPalette(),
          queues: run.chart.queues,
          stageOrder,
          stages,
          most,
          end: endOf(trace),
          until: Math.max(near, time),
          playhead: time,
        })
      })
    },
    [run, near, most, session],
  )
  return (
    <li className="compare-card">
      <header>
        <h3>{name}</h3>
        <span ref={out} className="soft" />
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
