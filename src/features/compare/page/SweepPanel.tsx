import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select } from '../../../app/base/controls/Select.tsx'
import { ColumnSlider } from '../../../app/base/ui/ColumnSlider.tsx'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { policyName } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countServices } from '../../../scenario/model/sources.ts'
import { sweepBands } from '../../../views/plots/columnPlot.ts'
import { axesOf, emptySweep, presentValue, type SweepAxis, type SweepPoint, withValue } from '../study/sweep.ts'
import {
  axisName,
  axisValueText,
  detailsOf,
  firstToBeatWords,
  type Sweep,
  sweepStore,
  sweepStudy,
  valueName,
} from './sweeping.ts'

/** A sweep of at most this many services takes a moment, and starts as soon as the panel is open. */
const MAX_PLAYED_UNASKED = 240_000

/** The scenario at many values of one number: workers, batch size, switch cost or the service time of a stage. */
export function SweepPanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const { axis: asked } = useStore(sweepStore(session))
  const axes = axesOf(scenario)
  const axis = axes.includes(asked) ? asked : 'workers'
  const planned = emptySweep(scenario, axis)
  const services = planned.length * countServices(scenario)
  const { study, state, start } = useStudy(sweepStudy, { scenario, axis }, services <= MAX_PLAYED_UNASKED)
  const points = state.found?.points ?? planned
  const playing = state.phase === 'running'
  const known = points.some(({ run }) => run !== null)
  return (
    <article className="record-panel" aria-label={t('What if')}>
      <header>
        <label>
          <b>{t('Vary')}</b>{' '}
          <Select
            aria-label={t('Vary')}
            value={axis}
            options={axes.map((axis) => [axis, axisName(scenario, axis)])}
            choose={(axis) => sweepStore(session).setState({ axis })}
          />
        </label>
        <span className="soft">{t('under {name}', { name: policyName(scenario.policy) })}</span>
        <JobProgress job={study} />
        {!playing && state.phase !== 'done' && (
          <Button onClick={start} text={t('Play {n, plural, one {# value} other {# values}}', { n: points.length })} />
        )}
        <JobFailure job={study} />
      </header>
      {known ? (
        <Plot key={axis} scenario={scenario} axis={axis} points={points} sweep={state.found} playing={playing} />
      ) : (
        <p className="soft">{t('A click or Enter takes it.')}</p>
      )}
    </article>
  )
}

interface PlotProps {
  readonly scenario: Scenario
  readonly axis: SweepAxis
  readonly points: readonly SweepPoint[]
  readonly sweep: Sweep | null
  readonly playing: boolean
}

function Plot({ scenario, axis, points, sweep, playing }: PlotProps) {
  const session = useSession()
  const present = presentValue(scenario, axis)
  const values = points.map(({ value }) => value)
  const first = sweep?.first?.kind === 'found' ? values.indexOf(sweep.first.workers) : -1
  const beaten = sweep === null ? '' : firstToBeatWords(sweep, playing)
  return (
    <ColumnSlider
      label={axisName(scenario, axis)}
      values={values}
      now={present !== null && values.includes(present) ? present : null}
      bands={sweepBands(points, stageNumbers(scenario), sweep?.baseline?.makespan ?? null, first)}
      write={(value) => axisValueText(axis, value)}
      nameOf={(column) => valueName(scenario, axis, values[column])}
      detailsOf={(column) => detailsOf(scenario, axis, points, column, sweep)}
      apply={(column) =>
        editOrShowProblems(session, (now) => (axesOf(now).includes(axis) ? withValue(now, axis, values[column]) : now))
      }
    >
      {beaten !== '' && <p className={sweep?.first && sweep.first.kind !== 'ask' ? undefined : 'soft'}>{beaten}</p>}
    </ColumnSlider>
  )
}
