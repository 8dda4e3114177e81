import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { ColumnSlider } from '../../../app/base/ui/ColumnSlider.tsx'
import { PanelFold } from '../../../app/session/page/PanelFold.tsx'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { study, useStudyInSight } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { setFeeders } from '../../../scenario/edit/edits.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countServices } from '../../../scenario/model/sources.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { feederBands } from '../draw/feederBands.ts'
import type { FeederPoint } from '../measure/feederGaps.ts'
import { feedersOf } from '../measure/spreading.ts'
import { emptyPoints, feederTasks, hasResource, withAnswer, withFeederTask } from '../study/feederSweep.ts'
import './spread.css'

/** A sweep of at most this many services takes a moment, and starts as soon as it comes into view. */
const MAX_PLAYED_UNASKED = 120_000

/** The effect of more or fewer feeders: distances, losses and makespan over the number of feeders. Nothing if jobs do not come in groups. */
export function FeederPanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  if (scenario.source.kind !== 'groups') return null
  const now = feedersOf(scenario.source)
  return (
    <PanelFold
      id="feeders"
      className="feeder-sweep"
      title={t('Feeders')}
      note={now === null ? undefined : feedersNamed(now)}
    >
      {/* Another number of feeders changes nothing here: the sweep plays them all. */}
      <SweepOf key={feederKey(scenario)} scenario={scenario} />
    </PanelFold>
  )
}

function SweepOf({ scenario }: { readonly scenario: Scenario }) {
  // As it was when the panel opened: the present number of feeders stays among the columns.
  const [asked] = useState(scenario)
  const small = feederTasks(asked).length * countServices(asked) <= MAX_PLAYED_UNASKED
  const { study, state, start, section, waits } = useStudyInSight(feederStudy, asked, small)
  const points = state.found ?? emptyPoints(asked)
  const known = points.some(({ gaps }) => gaps !== null)
  return (
    <div ref={section} className="panel-part">
      {points.length < 2 ? (
        <p className="soft">{t('A single group has nothing to be spread among.')}</p>
      ) : (
        waits && <Button onClick={start} text={t('Compare feeders')} />
      )}
      <JobProgress job={study} />
      <JobFailure job={study} />
      {known && <Plot points={points} scenario={scenario} />}
    </div>
  )
}

function Plot({ points, scenario }: { readonly points: readonly FeederPoint[]; readonly scenario: Scenario }) {
  const session = useSession()
  const resource = hasResource(scenario)
  const values = points.map(({ feeders }) => feeders)
  return (
    <ColumnSlider
      label={t('Feeders')}
      values={values}
      now={feedersOf(scenario.source)}
      bands={feederBands(points, resource)}
      write={String}
      nameOf={(column) => feedersNamed(values[column])}
      detailsOf={(column) => feederDetails(points[column], resource)}
      apply={(column) => editOrShowProblems(session, (now) => setFeeders(now, values[column]))}
    />
  )
}

/** Plays the scenario with each number of feeders. The key leaves out the present number: all of them are played. */
export const feederStudy = study<Scenario, readonly FeederPoint[]>({
  key: feederKey,
  async work(scenario, { show, ...control }) {
    let points = emptyPoints(scenario)
    show(points)
    const inputs = feederTasks(scenario).map((task) => ({ scenario, task }))
    await runJobs('feeders', inputs, {
      ...control,
      answer(_, answer) {
        points = withAnswer(points, answer)
        show(points)
      },
    })
    return points
  },
})

/** Returns a key of all that the study depends on: not the number of feeders, nor the positions of the cards. */
export function feederKey(scenario: Scenario): string {
  return comparisonKey(withFeederTask(scenario, { feeders: 1, whenTaken: 'wait' }))
}

/** Returns the results of the run with this number of feeders. */
export function feederDetails({ gaps, wait, skip }: FeederPoint, resource: boolean): string {
  if (gaps === null) return t('not played yet')
  const { whole } = gaps
  const parts: string[] = []
  if (whole === null) parts.push(t('no two jobs share a group'))
  else {
    const values = { least: count(whole.least), median: count(whole.median) }
    parts.push(t('two jobs of a group stand at least {least} apart, in the median {median}', values))
  }
  if (wait !== null) {
    if (resource) parts.push(`${t('Workers wait for groups, in all')}: ${duration(wait.contendedTime)}`)
    if (wait.switchLoss > 0) parts.push(`${t('Workers lose by changing groups, in all')}: ${duration(wait.switchLoss)}`)
    parts.push(t('took {makespan}', { makespan: duration(wait.makespan) }))
  }
  if (skip !== null) parts.push(t('or {makespan} if workers skip', { makespan: duration(skip.makespan) }))
  return parts.join('; ')
}

export function feedersNamed(n: number): string {
  return t('{n, plural, one {# feeder} other {# feeders}}', { n })
}
