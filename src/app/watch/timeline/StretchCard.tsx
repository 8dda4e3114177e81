import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { say } from '../../../language/say.ts'
import { createStretches, extendStretches, figuresWithin, type Stretches, type StretchFigures } from '../../../measures/figures/rangeStats.ts'
import { clock, count, duration, fixed, percent, rate } from '../../../views/drawing/format.ts'
import { numberScale } from '../../../views/drawing/scale.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'
import { Swatch } from '../../base/ui/Swatch.tsx'
import { onScene, repaint, type Scene } from '../../session/run/painter.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { select, showSelection, timelineStore } from '../../session/run/timelineStore.ts'

/** Rows added up a frame: some milliseconds' worth. */
const ROWS_A_FRAME = 40_000
const kept = new WeakMap<Run, Stretches>()

/** The figures of a stretch, or how much of the run has been added up for them. */
function figuresIn({ run, end }: Scene, [from, to]: TimeRange): StretchFigures | number {
  const stretches = kept.get(run) ?? createStretches(run.trace)
  kept.set(run, stretches)
  const ready = extendStretches(stretches, run.trace, ROWS_A_FRAME)
  if (ready && run.chart.rows === run.trace.length) return figuresWithin(stretches, run.chart, from, to, end)
  repaint()
  return stretches.rows / Math.max(1, run.trace.length)
}

/** What the stretch somebody has marked amounts to. */
export function StretchCard() {
  const selection = useStore(timelineStore, (state) => state.selection)
  const run = useStore(runStore, (state) => state.run)
  if (selection === null || run === null) return null
  return <Card run={run} selection={selection} />
}

function Card({ run, selection }: { readonly run: Run; readonly selection: TimeRange }) {
  const [figures, setFigures] = useState<StretchFigures | number>(0)
  useEffect(() => {
    let told = -1
    return onScene((scene) => {
      if (scene === null || scene.run !== run || told === run.trace.length) return
      const next = figuresIn(scene, selection)
      if (typeof next !== 'number') told = run.trace.length
      setFigures(next)
    })
  }, [run, selection])
  const [from, to] = selection
  return (
    <section className="timeline-card" aria-label={say('The stretch that is marked')}>
      <header>
        <h3>{say('{from} to {to}', { from: clock(from), to: clock(to) })}</h3>
        <p className="soft">{duration(to - from)}</p>
        <button type="button" className="button small" title={say('Zoom to it (Z)')} onClick={showSelection}>
          {say('Zoom')}
        </button>
        <button type="button" className="icon" aria-label={say('Close')} title={say('Close (Escape)')} onClick={() => select(null)}>
          ×
        </button>
      </header>
      {typeof figures === 'number' ? (
        <p className="soft">{say('Adding up: {figures}', { figures: percent(figures, 0) })}</p>
      ) : (
        <Figures figures={figures} run={run} />
      )}
    </section>
  )
}

function Figures({ figures, run }: { readonly figures: StretchFigures; readonly run: Run }) {
  const queue = numberScale(figures.stages.map(({ meanQueue }) => meanQueue))
  const facts: [name: string, value: string][] = [
    [say('Utilisation'), percent(figures.utilisation)],
    [say('Throughput'), rate(figures.throughput)],
    [say('In'), count(figures.arrivals)],
    [
      say('Out'),
      figures.failed > 0
        ? say('{completed}, {failed} failed', { completed: count(figures.completed), failed: count(figures.failed) })
        : count(figures.completed),
    ],
    [run.trace.topology.copies ? say('Mean wait, all parts') : say('Mean wait of a job'), duration(figures.meanWait)],
    [say('From in to out'), duration(figures.meanFlowTime)],
    [say('Moves'), count(figures.moves)],
    [say('Decisions'), count(figures.decisions)],
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
      <table>
        <thead>
          <tr>
            <th scope="col">{say('Stage')}</th>
            <th scope="col" title={say('Mean length of the queue')}>
              {say('waiting')}
            </th>
            <th scope="col" title={say('Of the services that began in it')}>
              {say('mean wait')}
            </th>
            <th scope="col" title={say('Mean number of seats')}>
              {say('seats')}
            </th>
            <th scope="col" title={say("Share of all workers' time")}>
              {say('busy')}
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.stages.map((stage, s) => (
            <tr key={run.scenario.stages[s].id}>
              <th scope="row">
                <Swatch stage={s} />
                {run.scenario.stages[s].name}
              </th>
              <td>{queue.text(stage.meanQueue)}</td>
              <td>{duration(stage.meanWait)}</td>
              <td>{Number.isFinite(stage.meanSeats) ? fixed(stage.meanSeats, 1) : '–'}</td>
              <td>{percent(stage.utilisation, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
