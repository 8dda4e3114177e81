import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { axesOf, emptySweep, presentValue, type SweepAxis, type SweepPoint, sweepKey, withValue } from '../../../runs/study/sweep.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { policyName } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { sweepBands } from '../../../views/plots/sweepBands.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Select } from '../../base/controls/Select.tsx'
import { ColumnSlider } from '../../base/ui/ColumnSlider.tsx'
import { useSession } from '../../session/useSession.ts'
import './sweep.css'
import { JobFailure, JobProgress } from '../../session/run/JobProgress.tsx'
import { runStore } from '../../session/run/runStore.ts'
import { coresAreTaken } from '../../session/run/sessionJobs.ts'
import { editOrShowProblems, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSecrets } from '../../session/secrets/secrets.ts'
import { type Sweep, startSweep, sweepJob, sweepStore } from './sweeping.ts'
import { axisName, axisValueText, detailsOf, firstToBeatWords, valueName } from './sweepWords.ts'

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
  const secrets = useSecrets()
  const axes = axesOf(scenario).filter((each) => ![...secrets.services].some((id) => each === `service ${id}`))
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
    <article className="record-panel sweep" aria-label={t('What if')}>
      <header>
        <label>
          <b>{t('Vary')}</b>{' '}
          <Select
            aria-label={t('Vary')}
            value={axis}
            options={axes.map((each) => [each, axisName(scenario, each)])}
            choose={(each) => sweepStore(session).setState({ axis: each })}
          />
        </label>
        <span className="soft">
          {t('under {name}, everything else as it is, with the same random seed', {
            name: secrets.policy ? t('the hidden policy') : policyName(scenario.policy),
          })}
        </span>
        {mine !== null && phase === 'running' ? (
          <JobProgress job={job} label={t('Playing all values')} />
        ) : (
          (mine === null || phase !== 'done') && (
            <Button
              onClick={() => startSweep(session, scenario, axis)}
              text={known ? t('Play all again') : t('Play {n, plural, one {# value} other {# values}}', { n: points.length })}
            />
          )
        )}
        {mine !== null && <JobFailure job={job} />}
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
    if (editOrShowProblems(session, (each) => (axesOf(each).includes(axis) ? withValue(each, axis, value) : each)))
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
        now={present < 0 ? null : points[present].value}
        focus={focus}
        bands={sweepBands(
          points,
          stageNumbers(scenario),
          sweep?.baseline?.makespan ?? null,
          points.findIndex(({ value }) => value === first),
        )}
        write={(value) => axisValueText(axis, value)}
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
function FirstToBeat({ sweep }: { readonly sweep: Sweep }) {
  const playing = useStore(sweepJob(useSession()).store, ({ phase }) => phase === 'running')
  const words = firstToBeatWords(sweep, playing)
  const known = sweep.first !== null && sweep.first.kind !== 'ask'
  return words === '' ? null : <p className={known ? undefined : 'soft'}>{words}</p>
}
