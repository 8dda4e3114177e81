import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select } from '../../../app/base/controls/Select.tsx'
import { currentPalette, themeStore } from '../../../app/base/page/theme.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { onScene } from '../../../app/session/page/painter.ts'
import { goTo, seek } from '../../../app/session/page/playhead.ts'
import { playback } from '../../../app/session/run/playback.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { isolated, t } from '../../../language/translate.ts'
import { type Marks, markTimes } from '../../../measures/series/marks.ts'
import { greatest, type Steps } from '../../../measures/series/steps.ts'
import { engines } from '../../../scenario/model/engines.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { clock, count, duration } from '../../../views/drawing/format.ts'
import { type Palette, stageColour } from '../../../views/drawing/palette.ts'
import { areaPath, linePath } from '../../../views/drawing/svg.ts'
import { meanPath, mountTimePlot, type TimeBand, valuePoints } from '../../../views/plots/timePlot.ts'
import type { Divergence, SeatsApart } from '../measure/residual.ts'
import type { RealityResult } from './reality.ts'

/** The jobs in the system of both runs, or the queue of one stage, on one time axis under the page's playhead. */
export function OverlayFigure({ run, found }: { readonly run: Run; readonly found: RealityResult }) {
  const session = useSession()
  const [stage, setStage] = useState(-1)
  const { stages } = run.scenario
  const where = engines[run.trace.engine].where()
  const { simulated, jobs, lag, divergence } = found
  const palette = useStore(themeStore, (state) => state.palette) ?? currentPalette()
  const ends = [endOf(run.trace), endOf(simulated.trace)] as const
  const colourIn = (each: Palette) => (stage < 0 ? each.ink : stageColour(each, stage).text)
  const host = useDrawing(
    (element) => mountTimePlot(element, { seek: (time) => seek(session, time) }),
    (plot) => {
      const flags = [divergence.seats, divergence.out]
        .flatMap((difference) => (difference === null ? [] : [difference.time]))
        .sort((a, b) => a - b)
      const [real, other] = stage < 0 ? jobs : [run.chart.queues[stage], simulated.chart.queues[stage]]
      return onScene(session, () => {
        // The theme may change under the drawing.
        const now = currentPalette()
        const colour = colourIn(now)
        const bands = () =>
          overlayBands({ palette: now, colour, real, simulated: other, ends, departures: run.chart.departures, lag })
        plot.update({
          palette: now,
          end: Math.max(...ends),
          playhead: playback(session).time,
          flags,
          parts: [real, other, lag, colour],
          bands,
        })
      })
    },
    [run, simulated, jobs, lag, divergence, stage, session],
  )
  return (
    <figure className="overlay">
      <figcaption>
        <Select
          aria-label={t('Lines')}
          value={stage}
          options={[
            [-1, t('Jobs in the system')],
            ...stageNumbers(run.scenario).map((s) => [s, t('Waiting at {name}', { name: stages[s].name })] as const),
          ]}
          choose={setStage}
        />
        <Key colour={colourIn(palette)} dashed={false} name={where} />
        <Key colour={colourIn(palette)} dashed={true} name={t('simulated')} />
      </figcaption>
      <div
        ref={host}
        role="img"
        aria-label={t('Done after {ends} {where}, simulated after {ends2}', {
          where,
          ends: clock(ends[0]),
          ends2: clock(ends[1]),
        })}
      />
    </figure>
  )
}

function Key({ colour, dashed, name }: { readonly colour: string; readonly dashed: boolean; readonly name: string }) {
  return (
    <span className="overlay-key">
      <svg width="26" height="8" aria-hidden="true">
        <path d="M1,4H25" stroke={colour} strokeWidth="1.75" strokeDasharray={dashed ? '4 3' : undefined} />
      </svg>
      {name}
    </span>
  )
}

/** Where a real run and its simulation diverge, in words, each with its number in the plot and a link to it. */
export function DivergenceNote({
  scenario,
  divergence,
}: {
  readonly scenario: Scenario
  readonly divergence: Divergence
}) {
  const session = useSession()
  const { seats, out, tolerance } = divergence
  const places = seats === null ? [] : [{ time: seats.time, text: seatsText(scenario, seats) }]
  if (out !== null)
    places.push({
      time: out.time,
      text: t(
        '{real, plural, one {# job} other {# jobs}} out, {simulated} predicted: for the first time more than {tolerance} apart.',
        { real: out.real, simulated: count(out.simulated), tolerance: count(tolerance) },
      ),
    })
  places.sort((a, b) => a.time - b.time)
  return (
    <>
      <ol className="divergence" aria-label={t('First difference')}>
        {places.map(({ time, text }) => (
          <li key={text}>
            <span>{text}</span>{' '}
            <Button
              className="link"
              onClick={() => goTo(session, time)}
              text={t('Go to {time}', { time: clock(time) })}
            />
          </li>
        ))}
      </ol>
      <p className="soft">
        {seats === null && t('Their decisions set the same targets, one after the other. ')}
        {out === null && t('They never differ by over {tolerance} finished jobs. ', { tolerance: count(tolerance) })}
      </p>
    </>
  )
}

function seatsText(scenario: Scenario, { real, simulated }: SeatsApart): string {
  const differing = stageNumbers(scenario).filter((s) => real?.seats[s] !== simulated?.seats[s])
  const text = (change: SeatsApart['real']) =>
    change === null
      ? '–'
      : differing
          .slice(0, 4)
          .map((s) => `${isolated(scenario.stages[s].name)} ${count(change.seats[s])}`)
          .join(', ')
  return t('Next targets: {real}. In the simulation: {simulated}.', { real: text(real), simulated: text(simulated) })
}

interface Lines {
  readonly palette: Palette
  /** Of both lines. */
  readonly colour: string
  /** The real run (solid) and the simulation (dashed). */
  readonly real: Steps
  readonly simulated: Steps
  /** The ends of both. */
  readonly ends: readonly [real: Micros, simulated: Micros]
  /** When jobs left the real run, and how much later than in the simulation. */
  readonly departures: Marks
  readonly lag: Float64Array
}

/** Returns a real run over its simulation: the jobs in both, and below how much later each job left. */
function overlayBands({ palette, colour, real, simulated, ends, departures, lag }: Lines): readonly TimeBand[] {
  return [
    {
      title: '',
      height: 112,
      values: [greatest(real), greatest(simulated)],
      parts: 4,
      whole: true,
      write: count,
      series: (plot) => [
        { d: meanPath(simulated, plot, ends[1]), stroke: colour, width: 1.5, dash: '4 3', part: 'simulated' },
        { d: meanPath(real, plot, ends[0]), stroke: colour, width: 1.75, part: 'real' },
      ],
    },
    {
      title: t('later than predicted, job by job as they leave'),
      height: 72,
      values: lag,
      parts: 3,
      write: (time) => (time === 0 ? '0' : duration(time)),
      series: (plot) => {
        const points = valuePoints(markTimes(departures), lag, plot)
        return [
          { d: areaPath(points, plot.y(0)), fill: palette.bed, part: 'area' },
          { d: linePath(points), stroke: palette.ink, width: 1.5, part: 'lag' },
        ]
      },
    },
  ]
}
