import { useRef } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { onScene } from '../../../app/session/page/painter.ts'
import { seek } from '../../../app/session/page/playhead.ts'
import { playback } from '../../../app/session/run/playback.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { frameAt, isPresent } from '../../../measures/frame/frame.ts'
import { greatest } from '../../../measures/series/steps.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { count, seconds } from '../../../views/drawing/format.ts'
import { setText } from '../../../views/drawing/svg.ts'
import { mountParliament } from '../../../views/parliament/parliament.ts'
import { mountQueueStrip, stripHeight } from '../../../views/timeline/queueStrip.ts'
import { type ComparedRun, type Entrant, scaleEnd } from './comparing.ts'
import type { ComparedPair } from './FirstDifference.tsx'

interface PicturesProps {
  readonly entrants: readonly Entrant[]
  readonly runs: ReadonlyMap<string, ComparedRun>
  readonly pair: ComparedPair | null
  open(entrant: Entrant, run: Run, time: Micros): void
  /** Gives the scenario the policy of an entrant; null if the entrants are branches. */
  readonly adopt: ((entrant: Entrant) => void) | null
}

/** A row for each entrant: the seats at the playhead and the queues over time, all on one square-root scale and one axis, with the first difference marked. */
export function ComparedPictures({ entrants, runs, pair, open, adopt }: PicturesProps) {
  const session = useSession()
  const all = entrants.flatMap((entrant) => {
    const run = runs.get(entrant.key)?.run
    return run ? [{ entrant, run }] : []
  })
  const ends = all.map(({ run }) => endOf(run.trace))
  // A very long run or queue would leave no room for the others. Beyond its end the axis follows the playhead.
  const axisEnd = scaleEnd(ends)
  const longest = all.map(({ run }) => Math.max(...run.chart.queues.map(greatest)))
  const maxQueue = scaleEnd(longest)
  return (
    <>
      <p className="soft">{t('Waiting jobs, all on one square-root scale.')}</p>
      <ul className="compared-pictures" aria-label={t('Side by side')}>
        {all.map(({ entrant, run }, k) => (
          <Picture
            key={entrant.key}
            name={entrant.name}
            run={run}
            axisEnd={axisEnd}
            maxQueue={maxQueue}
            longest={longest[k]}
            differs={pair?.difference && [pair.first, pair.second].includes(entrant.key) ? pair.difference.time : null}
            open={() => open(entrant, run, playback(session).time)}
            adopt={adopt && (() => adopt(entrant))}
          />
        ))}
      </ul>
    </>
  )
}

interface PictureProps {
  readonly name: string
  readonly run: Run
  /** The end of the axis until the playhead passes it, and the longest queue that the axis shows. */
  readonly axisEnd: number
  readonly maxQueue: number
  readonly longest: number
  /** When the run first differs from the one that it is compared with; null if it is not compared, or does not differ. */
  readonly differs: Micros | null
  open(): void
  readonly adopt: (() => void) | null
}

function Picture({ name, run, axisEnd, maxQueue, longest, differs, open, adopt }: PictureProps) {
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
          workers: frame.workers.filter(isPresent).length,
          seats: stageOrder.map((s) => frame.stages[s].seats),
          staffed: stageOrder.map((s) => frame.stages[s].staffed),
          colourIndex: stageOrder,
          names: stageOrder.map((s) => scenario.stages[s].name),
          caption: isElastic(scenario.policy) ? t('hired') : t('workers'),
        })
        if (out.current === null) return
        const left = count(frame.released + frame.failed)
        setText(out.current, t('{out} of {arrived} out', { out: left, arrived: count(trace.head.counts.arrived) }))
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
          most: maxQueue,
          end: endOf(trace),
          until: Math.max(axisEnd, time),
          playhead: time,
          mark: differs,
        })
      })
    },
    [run, axisEnd, maxQueue, differs, session],
  )
  return (
    <li className="compared-picture">
      <header>
        <h3>{name}</h3>
        <span ref={out} className="soft" />
        {longest > maxQueue && <span className="soft">{t('up to {n} waiting', { n: count(longest) })}</span>}
        <Button className="link" aria-label={t('Open {title}', { title: name })} onClick={open} text={t('Open')} />
        {adopt && <Button className="link" aria-label={t('Take {name}', { name })} onClick={adopt} text={t('Take')} />}
      </header>
      <div className="compare-seats" ref={seatsHost} />
      <div
        ref={stripHost}
        style={{ height: stripHeight(run.scenario.stages.length) }}
        role="img"
        aria-label={t('Queues of {name}, took {trace}', { name, trace: seconds(endOf(run.trace)) })}
      />
    </li>
  )
}
