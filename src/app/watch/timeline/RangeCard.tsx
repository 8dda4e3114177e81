import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import {
  createRangeIndex,
  extendRangeIndex,
  type RangeIndex,
  type RangeStats,
  statsWithin,
} from '../../../measures/figures/rangeStats.ts'
import { clock, count, duration, fixed, percent, rate, shareOf } from '../../../views/drawing/format.ts'
import { numberScale } from '../../../views/drawing/scale.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Swatch, Table } from '../../base/ui/Table.tsx'
import { onScene, repaint, type Scene } from '../../session/page/painter.ts'
import { selectRange, showSelection, timelineStore } from '../../session/page/timelineStore.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { TimelineCard } from './TimelineCard.tsx'

const ROWS_A_FRAME = 40_000
const kept = new WeakMap<Run, RangeIndex>()

/** Returns the figures of a range, or the share of the run that has been added up for them. */
function figuresIn(session: Session, { run, end }: Scene, [from, to]: TimeRange): RangeStats | number {
  const rangeIndex = kept.get(run) ?? createRangeIndex(run.trace)
  kept.set(run, rangeIndex)
  const ready = extendRangeIndex(rangeIndex, ROWS_A_FRAME)
  if (ready && run.chart.rows === run.trace.length) return statsWithin(rangeIndex, run.chart, from, to, end)
  repaint(session)
  return rangeIndex.totals.rows / Math.max(1, run.trace.length)
}

export function RangeCard() {
  const session = useSession()
  const selection = useStore(timelineStore(session), (state) => state.selection)
  const run = useStore(runStore(session), (state) => state.run)
  if (selection === null || run === null) return null
  return <Card run={run} selection={selection} />
}

function Card({ run, selection }: { readonly run: Run; readonly selection: TimeRange }) {
  const session = useSession()
  const [figures, setFigures] = useState<RangeStats | number>(0)
  useEffect(() => {
    let shownRows = -1
    return onScene(session, (scene) => {
      if (scene === null || scene.run !== run || shownRows === run.trace.length) return
      const next = figuresIn(session, scene, selection)
      if (typeof next !== 'number') shownRows = run.trace.length
      setFigures(next)
    })
  }, [run, selection, session])
  const [from, to] = selection
  return (
    <TimelineCard
      label={t('Marked range')}
      title={t('{from} to {to}', { from: clock(from), to: clock(to) })}
      about={duration(to - from)}
      action={
        <Button
          className="button small"
          title={`${t('Zoom')} (Z)`}
          onClick={() => showSelection(session)}
          text={t('Zoom')}
        />
      }
      close={() => selectRange(session, null)}
    >
      {typeof figures === 'number' ? (
        <p className="soft">{percent(figures, 0)}</p>
      ) : (
        <Figures figures={figures} run={run} />
      )}
    </TimelineCard>
  )
}

function Figures({ figures, run }: { readonly figures: RangeStats; readonly run: Run }) {
  const queue = numberScale(figures.stages.map(({ meanQueue }) => meanQueue))
  const out = [
    count(figures.completed),
    ...(figures.failed > 0 ? [t('{failed} failed', { failed: count(figures.failed) })] : []),
    ...(figures.gaveUp > 0 ? [t('{gaveUp} gave up', { gaveUp: count(figures.gaveUp) })] : []),
  ]
  const facts: [name: string, value: string][] = [
    [t('Utilisation'), percent(figures.utilisation)],
    [t('Throughput'), rate(figures.throughput)],
    [t('In'), count(figures.arrivals)],
    [t('Out'), out.join(', ')],
    [run.trace.topology.copies ? t('Wait of all parts, mean') : t('Wait, mean'), duration(figures.meanWait)],
    [t('Flow time, mean'), duration(figures.meanFlowTime)],
    [t('Moves'), count(figures.moves)],
    [t('Decisions'), count(figures.decisions)],
  ]
  return (
    <div className="timeline-card-body">
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Table heads={[t('Stage'), t('mean queue'), t('mean wait'), t('target'), t('busy')]}>
        {figures.stages.map((stage, s) => (
          <tr key={run.scenario.stages[s].id}>
            <th scope="row">
              <Swatch stage={s} />
              {run.scenario.stages[s].name}
            </th>
            <td>{queue.text(stage.meanQueue)}</td>
            <td>{duration(stage.meanWait)}</td>
            <td>{Number.isFinite(stage.meanSeats) ? fixed(stage.meanSeats, 1) : '–'}</td>
            <td>{shareOf(stage.ownUtilisation, stage.workers, 0)}</td>
          </tr>
        ))}
      </Table>
    </div>
  )
}
