import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { speedUp } from '../measures/comparison.ts'
import { axesOf, emptySweep, presentValue, type SweepAxis, type SweepPoint, sweepKey, withValue } from '../runs/sweep.ts'
import { countJobs, MAX_WORKERS } from '../scenario/limits.ts'
import { lineNumbers } from '../scenario/line.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { counted } from '../scenario/words.ts'
import { policies } from '../scheduler/policies.ts'
import { count, duration, percent } from '../views/format.ts'
import { mountSweepPlot } from '../views/sweepPlot.ts'
import { ColumnSlider } from './ColumnSlider.tsx'
import './compare.css'
import { runStore } from './runStore.ts'
import { edit, scenarioStore } from './scenarioStore.ts'
import { type Sweep, startSweep, stopSweep, sweepStore } from './sweeping.ts'
import { currentPalette } from './theme.ts'

/** Up to so many services in all a sweep is played as soon as it is seen: it is there in a moment. */
const AT_ONCE = 240_000
const SETTLE_MS = 400

/** What more workers would buy, or larger batches, a dearer change of stage, a quicker stage: the scenario at many values of one of its numbers. */
export function SweepPanel() {
  const scenario = useStore(scenarioStore, (state) => state.scenario)
  const sweep = useStore(sweepStore, (state) => state.sweep)
  const asked = useStore(sweepStore, (state) => state.axis)
  const axes = axesOf(scenario)
  const axis = axes.includes(asked) ? asked : 'workers'
  const key = sweepKey(scenario, axis)
  const mine = sweep?.key === key ? sweep : null
  const points = mine?.points ?? emptySweep(scenario, axis)
  const services = points.length * countJobs(scenario.source) * scenario.stages.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins when something else is asked for, not when an answer comes or somebody calls it off
  useEffect(() => {
    if (mine !== null || services > AT_ONCE) return
    const { phase, engine } = runStore.getState()
    if (phase === 'running' && engine === 'threads') return
    const timer = setTimeout(() => startSweep(scenario, axis), sweep === null ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [key])
  const known = points.some(({ run }) => run !== null)
  return (
    <article className="sweep" aria-label="Sweep">
      <header>
        <label>
          <b>Vary</b>{' '}
          <select aria-label="Vary" value={axis} onChange={(event) => sweepStore.setState({ axis: event.target.value as SweepAxis })}>
            {axes.map((each) => (
              <option key={each} value={each}>
                {axisName(scenario, each)}
              </option>
            ))}
          </select>
        </label>
        <span className="soft">under {policies[scenario.policy.kind].name}, everything else as it is, with the same luck</span>
        {mine?.phase === 'playing' ? (
          <Progress />
        ) : (
          mine?.phase !== 'done' && (
            <button type="button" className="button" onClick={() => startSweep(scenario, axis)}>
              {known ? 'Play all again' : `Play ${counted(points.length, 'value')}`}
            </button>
          )
        )}
        {mine?.reason != null && <span className="warning">{mine.reason}</span>}
      </header>
      {known ? (
        <Plot key={axis} scenario={scenario} axis={axis} points={points} sweep={mine} />
      ) : (
        <p className="soft">
          When all is done, how busy the workers are and where they sit, over {axisName(scenario, axis).toLowerCase()}. A click on a value takes it.
        </p>
      )}
    </article>
  )
}

function Progress() {
  const share = useStore(sweepStore, (state) => state.share)
  return (
    <div className="compare-progress">
      <progress value={share} max={1} aria-label="Playing all values" />
      <button type="button" className="link" onClick={stopSweep}>
        Cancel
      </button>
    </div>
  )
}

interface PlotProps {
  readonly scenario: Scenario
  readonly axis: SweepAxis
  readonly points: readonly SweepPoint[]
  readonly sweep: Sweep | null
}

function Plot({ scenario, axis, points, sweep }: PlotProps) {
  const [focus, setFocus] = useState(-1)
  const [taken, setTaken] = useState('')
  const present = points.findIndex(({ value }) => value === presentValue(scenario, axis))
  const first = sweep?.first?.kind === 'found' ? sweep.first.workers : null
  const column = focus >= 0 ? focus : Math.max(0, present)
  const name = valueName(scenario, axis, points[column].value)
  const words = detailsOf(scenario, axis, points, column, sweep)
  const choose = (at: number) => {
    const { value } = points[at]
    setFocus(at)
    if (edit((each) => (axesOf(each).includes(axis) ? withValue(each, axis, value) : each))) setTaken(`Taken: ${valueName(scenario, axis, value)}.`)
  }
  return (
    <figure>
      <ColumnSlider
        className="sweep-plot"
        label={`${axisName(scenario, axis)} to look at; Enter takes it`}
        values={points.map(({ value }) => value)}
        column={column}
        text={`${name}: ${words}`}
        mount={mountSweepPlot}
        data={{
          palette: currentPalette(),
          columns: points,
          line: lineNumbers(scenario),
          baseline: sweep?.baseline?.makespan ?? null,
          now: present,
          focus,
          first: first === null ? -1 : points.findIndex(({ value }) => value === first),
          write: (value) => written(axis, value),
        }}
        look={setFocus}
        choose={choose}
      />
      <figcaption>
        <p>
          <b>{name}</b>: {words}. <span className="soft">{taken || 'A click, or Enter, takes a value.'}</span>
        </p>
        {sweep !== null && <FirstToBeat sweep={sweep} />}
      </figcaption>
    </figure>
  )
}

/** How many workers it takes until the pipeline is worth it. */
function FirstToBeat({ sweep: { baseline, first, points, phase } }: { readonly sweep: Sweep }) {
  if (baseline === null) return null
  const alone = `One worker who runs each job to its end takes ${duration(baseline.makespan)}`
  if (first === null || first.kind === 'ask') return <p className="soft">{phase === 'playing' ? `${alone}.` : ''}</p>
  if (first.kind === 'none')
    return (
      <p>
        {alone}, and no number of workers up to {MAX_WORKERS} beats that here.
      </p>
    )
  const run = points.find(({ value }) => value === first.workers)?.run
  return (
    <p>
      {alone}; the first to beat {first.workers === 1 ? 'that is 1 worker' : `that are ${count(first.workers)} workers`}
      {run != null && `, with ${duration(run.makespan)}`}.
    </p>
  )
}

function detailsOf(scenario: Scenario, axis: SweepAxis, points: readonly SweepPoint[], column: number, sweep: Sweep | null): string {
  const { value, run, refused } = points[column]
  if (refused !== null) return `cannot be played: ${refused}`
  if (run === null) return 'not played yet'
  const before = axis === 'workers' ? points.find((point) => point.value === value - 1)?.run : null
  const saved = before == null ? 0 : before.makespan - run.makespan
  const times = sweep?.baseline == null ? null : speedUp({ ...sweep.baseline, makespan: run.makespan }, sweep.baseline)
  const seats = lineNumbers(scenario).map((s) => `${scenario.stages[s].name} ${run.seats[s].toFixed(1)}`)
  return [
    `done after ${duration(run.makespan)}`,
    ...(run.left > 0 ? [`${counted(run.left, 'job')} left`] : []),
    ...(times === null || run.left > 0
      ? []
      : [`${times.toFixed(2)} times as fast as one worker alone, ${percent(times / value)} of what ${count(value)} could be`]),
    ...(before == null ? [] : [saved >= 0 ? `the last worker saves ${duration(saved)}` : `the last worker costs ${duration(-saved)}`]),
    `${percent(run.utilisation)} busy`,
    `seats ${seats.slice(0, 8).join(', ')}${seats.length > 8 ? ', …' : ''}`,
  ].join('; ')
}

function axisName(scenario: Scenario, axis: SweepAxis): string {
  if (axis === 'workers') return 'Workers'
  if (axis === 'batch') return 'Jobs a batch'
  if (axis === 'switchCost') return 'Switch cost'
  return `Mean service at ${scenario.stages.find(({ id }) => axis === `service ${id}`)?.name ?? ''}`
}

function written(axis: SweepAxis, value: number): string {
  return axis === 'workers' || axis === 'batch' ? count(value) : duration(value)
}

function valueName(scenario: Scenario, axis: SweepAxis, value: number): string {
  if (axis === 'workers') return counted(value, 'worker')
  if (axis === 'batch') return `${counted(value, 'job')} a batch`
  return `${axisName(scenario, axis)} ${duration(value)}`
}
