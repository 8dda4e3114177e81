import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { speedUp } from '../../../measures/figures/comparison.ts'
import { axesOf, emptySweep, presentValue, type SweepAxis, type SweepPoint, sweepKey, withValue } from '../../../runs/study/sweep.ts'
import { countJobs, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration, fixed, percent } from '../../../views/drawing/format.ts'
import { mountSweepPlot } from '../../../views/plots/sweepPlot.ts'
import { ColumnSlider } from '../../base/ui/ColumnSlider.tsx'
import { useSession } from '../../session/useSession.ts'
import '../policies/compare.css'
import { currentPalette } from '../../base/page/theme.ts'
import { JobProgress } from '../../session/run/JobProgress.tsx'
import { coresAreTaken } from '../../session/run/jobParts.ts'
import { runStore } from '../../session/run/runStore.ts'
import { editOrRefuse, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { type Sweep, startSweep, sweepJob, sweepStore } from './sweeping.ts'

/** A sweep of at most so many services takes a moment, and begins as soon as the panel is open. */
const AT_ONCE = 240_000
const SETTLE_MS = 400

/** What more workers, larger batches, a higher switch cost or a faster stage would change: the scenario at many values of one number. */
export function SweepPanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const { sweep, axis: asked } = useStore(sweepStore(session))
  const job = sweepJob(session)
  const phase = useStore(job.store, (state) => state.phase)
  const failure = useStore(job.store, (state) => (state.phase === 'failed' ? state.sentence : null))
  const axes = axesOf(scenario)
  const axis = axes.includes(asked) ? asked : 'workers'
  const key = sweepKey(scenario, axis)
  const mine = sweep?.key === key ? sweep : null
  const points = mine?.points ?? emptySweep(scenario, axis)
  const services = points.length * countJobs(scenario.source) * scenario.stages.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins when something else is asked for, not when a result comes or somebody cancels
  useEffect(() => {
    if (mine !== null || services > AT_ONCE) return
    if (coresAreTaken(runStore(session).getState())) return
    const timer = setTimeout(() => startSweep(session, scenario, axis), sweep === null ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [key])
  const known = points.some(({ run }) => run !== null)
  return (
    <article className="sweep" aria-label={t('Sweep')}>
      <header>
        <label>
          <b>{t('Vary')}</b>{' '}
          <select aria-label={t('Vary')} value={axis} onChange={(event) => sweepStore(session).setState({ axis: event.target.value as SweepAxis })}>
            {axes.map((each) => (
              <option key={each} value={each}>
                {axisName(scenario, each)}
              </option>
            ))}
          </select>
        </label>
        <span className="soft">{t('under {name}, everything else as it is, with the same luck', { name: policies[scenario.policy.kind].name() })}</span>
        {mine !== null && phase === 'running' ? (
          <div className="compare-progress">
            <JobProgress job={job} label={t('Playing all values')} />
          </div>
        ) : (
          (mine === null || phase !== 'done') && (
            <button type="button" className="button" onClick={() => startSweep(session, scenario, axis)}>
              {known ? t('Play all again') : t('Play {n, plural, one {# value} other {# values}}', { n: points.length })}
            </button>
          )
        )}
        {mine !== null && failure !== null && <span className="warning">{failure}</span>}
      </header>
      {known ? (
        <Plot key={axis} scenario={scenario} axis={axis} points={points} sweep={mine} />
      ) : (
        <p className="soft">
          {t('When all is done, how busy the workers are and where they sit, over {toLowerCase}. A click on a value takes it.', {
            toLowerCase: axisName(scenario, axis).toLowerCase(),
          })}
        </p>
      )}
    </article>
  )
}

interface PlotProps {
  readonly scenario: Scenario
  readonly axis: SweepAxis
  readonly points: readonly SweepPoint[]
  readonly sweep: Sweep | null
}

function Plot({ scenario, axis, points, sweep }: PlotProps) {
  const session = useSession()
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
    if (editOrRefuse(session, (each) => (axesOf(each).includes(axis) ? withValue(each, axis, value) : each)))
      setTaken(t('Taken: {scenario}.', { scenario: valueName(scenario, axis, value) }))
  }
  return (
    <figure>
      <ColumnSlider
        className="sweep-plot"
        label={t('{scenario} to look at; Enter takes it', { scenario: axisName(scenario, axis) })}
        values={points.map(({ value }) => value)}
        column={column}
        text={`${name}: ${words}`}
        mount={mountSweepPlot}
        data={{
          palette: currentPalette(),
          columns: points,
          stageOrder: stageNumbers(scenario),
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
          <b>{name}</b>: {words}. <span className="soft">{taken || t('A click, or Enter, takes a value.')}</span>
        </p>
        {sweep !== null && <FirstToBeat sweep={sweep} />}
      </figcaption>
    </figure>
  )
}

/** How many workers it takes to beat one worker alone. */
function FirstToBeat({ sweep: { baseline, first, points } }: { readonly sweep: Sweep }) {
  const playing = useStore(sweepJob(useSession()).store, ({ phase }) => phase === 'running')
  if (baseline === null) return null
  const alone = t('One worker who runs each job to its end takes {makespan}', { makespan: duration(baseline.makespan) })
  if (first === null || first.kind === 'ask') return <p className="soft">{playing ? `${alone}.` : ''}</p>
  if (first.kind === 'none') return <p>{t('{alone}, and no number of workers up to {MAX_WORKERS} beats that here.', { alone, MAX_WORKERS })}</p>
  const run = points.find(({ value }) => value === first.workers)?.run
  return (
    <p>
      {t('{alone}; the first to beat {n, plural, one {that is # worker} other {that are # workers}}{with}.', {
        alone,
        n: first.workers,
        with: run != null ? t(', with {makespan}', { makespan: duration(run.makespan) }) : '',
      })}
    </p>
  )
}

function detailsOf(scenario: Scenario, axis: SweepAxis, points: readonly SweepPoint[], column: number, sweep: Sweep | null): string {
  const { value, run, refused } = points[column]
  if (refused !== null) return t('cannot be played: {refused}', { refused })
  if (run === null) return t('not played yet')
  const before = axis === 'workers' ? points.find((point) => point.value === value - 1)?.run : null
  const saved = before == null ? 0 : before.makespan - run.makespan
  const times = sweep?.baseline == null ? null : speedUp({ ...sweep.baseline, makespan: run.makespan }, sweep.baseline)
  const seats = stageNumbers(scenario).map((s) => `${isolated(scenario.stages[s].name)} ${fixed(run.seats[s], 1)}`)
  return [
    t('done after {makespan}', { makespan: duration(run.makespan) }),
    ...(run.left > 0 ? [t('{left, plural, one {# job} other {# jobs}} left', { left: run.left })] : []),
    ...(times === null || run.left > 0
      ? []
      : [
          t('{times} times as fast as one worker alone, {share} of what {value} could be', {
            times: fixed(times, 2),
            share: percent(times / value),
            value: count(value),
          }),
        ]),
    ...(before == null
      ? []
      : [saved >= 0 ? t('the last worker saves {saved}', { saved: duration(saved) }) : t('the last worker costs {saved}', { saved: duration(-saved) })]),
    t('{utilisation} busy', { utilisation: percent(run.utilisation) }),
    t('seats {seats}', { seats: seats.slice(0, 8).join(', ') + (seats.length > 8 ? ', …' : '') }),
  ].join('; ')
}

function axisName(scenario: Scenario, axis: SweepAxis): string {
  if (axis === 'workers') return t('Workers')
  if (axis === 'batch') return t('Jobs a batch')
  if (axis === 'switchCost') return t('Switch cost')
  return t('Mean service at {stage}', { stage: scenario.stages.find(({ id }) => axis === `service ${id}`)?.name ?? '' })
}

function written(axis: SweepAxis, value: number): string {
  return axis === 'workers' || axis === 'batch' ? count(value) : duration(value)
}

function valueName(scenario: Scenario, axis: SweepAxis, value: number): string {
  if (axis === 'workers') return t('{value, plural, one {# worker} other {# workers}}', { value })
  if (axis === 'batch') return t('{value, plural, one {# job} other {# jobs}} a batch', { value })
  return `${axisName(scenario, axis)} ${duration(value)}`
}
