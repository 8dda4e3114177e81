import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Fold } from '../../../app/base/controls/Fold.tsx'
import { ColumnSlider } from '../../../app/base/ui/ColumnSlider.tsx'
import { useInLesson } from '../../../app/session/page/showing.ts'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { study, useSeen, useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { setFeeders } from '../../../scenario/edit/edits.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
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
  const inLesson = useInLesson()
  if (scenario.source.kind !== 'groups') return null
  const now = feedersOf(scenario.source)
  return (
    <article className="panel-fold feeder-sweep" aria-label={t('Feeders')}>
      <Fold
        id="feeders"
        head={<h3>{t('How many feeders?')}</h3>}
        note={now === null ? undefined : feedersNamed(now)}
        opens={inLesson}
      >
        {/* Another number of feeders changes nothing here: the sweep plays them all. */}
        <SweepOf key={feederKey(scenario)} scenario={scenario} />
      </Fold>
    </article>
  )
}

function SweepOf({ scenario }: { readonly scenario: Scenario }) {
  // As it was when the panel opened: the present number of feeders stays among the columns.
  const [asked] = useState(scenario)
  const small = feederTasks(asked).length * countJobs(asked.source) * asked.stages.length <= MAX_PLAYED_UNASKED
  const section = useRef<HTMLDivElement>(null)
  const seen = useSeen(section)
  const { study, state, start } = useStudy(feederStudy, asked, small && seen)
  const points = state.found ?? emptyPoints(asked)
  const playing = state.phase === 'running'
  const known = points.some(({ gaps }) => gaps !== null)
  const some = points.length > 1
  const waits = !playing && state.phase !== 'done' && !(small && state.phase === 'idle')
  return (
    <div ref={section} className="panel-part">
      {!some && <p className="soft">{t('A single group has nothing to be spread among.')}</p>}
      {some && !known && !playing && !small && (
        <p className="soft">
          {t('Runs this scenario with {length} numbers of feeders.', {
            length: points.length,
          })}
        </p>
      )}
      {some && waits && <Button onClick={start} text={known ? t('Play all again') : t('Compare feeders')} />}
      <JobProgress job={study} label={t('Playing with fewer and more feeders')} />
      <JobFailure job={study} />
      {known && <Plot points={points} scenario={scenario} />}
    </div>
  )
}

function Plot({ points, scenario }: { readonly points: readonly FeederPoint[]; readonly scenario: Scenario }) {
  const session = useSession()
  const [focus, setFocus] = useState(-1)
  const [taken, setTaken] = useState('')
  const resource = hasResource(scenario)
  const now = feedersOf(scenario.source)
  const column = focus >= 0 ? focus : points.findIndex(({ feeders }) => feeders === now)
  const choose = (at: number) => {
    const { feeders } = points[at]
    setFocus(at)
    if (editOrShowProblems(session, (each) => setFeeders(each, feeders)))
      setTaken(t('Taken: {feeders}.', { feeders: feedersNamed(feeders) }))
  }
  return (
    <figure>
      <ColumnSlider
        className="feeder-plot"
        label={t('Number of feeders; Enter takes it')}
        values={points.map(({ feeders }) => feeders)}
        column={column}
        text={
          column < 0
            ? t('none yet')
            : `${feedersNamed(points[column].feeders)}: ${feederDetails(points[column], resource)}`
        }
        now={now}
        focus={focus}
        bands={feederBands(points, resource)}
        write={String}
        look={setFocus}
        choose={choose}
      />
      <figcaption className="soft">
        {column < 0 ? (
          t('Point, or use the arrow keys; a click or Enter takes it.')
        ) : (
          <>
            <b>{feedersNamed(points[column].feeders)}</b>: {feederDetails(points[column], resource)}.
          </>
        )}
        <span className="unseen" aria-live="polite">
          {taken}
        </span>
      </figcaption>
    </figure>
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
export function feederDetails({ feeders, gaps, wait, skip }: FeederPoint, resource: boolean): string {
  if (gaps === null) return t('not played yet')
  const { whole, tail, jobs } = gaps
  const parts = [
    whole === null
      ? t('no two jobs share a group')
      : t('two jobs of a group stand at least {least} apart, in the median {median}', {
          least: count(whole.least),
          median: count(whole.median),
        }),
  ]
  if (whole !== null) parts.push(tailWords(feeders, tail, jobs))
  if (wait !== null && resource)
    parts.push(t('contended {contendedTime}', { contendedTime: duration(wait.contendedTime) }))
  if (wait !== null && wait.switchLoss > 0)
    parts.push(t('lost by changing groups {switchLoss}', { switchLoss: duration(wait.switchLoss) }))
  if (wait !== null) parts.push(t('done after {makespan}', { makespan: duration(wait.makespan) }))
  if (skip !== null) parts.push(t('or {makespan} if workers skip', { makespan: duration(skip.makespan) }))
  return parts.join('; ')
}

/** Returns in words up to which job the groups are as far apart as the feeders promise. */
function tailWords(feeders: number, tail: number, jobs: number): string {
  if (tail === jobs) return t('exactly {feeders} to the end: there is no tail', { feeders: count(feeders) })
  const why = t('where fewer groups than feeders are left')
  if (tail === 0) return t('all of it is tail, {why}', { why })
  const values = { feeders: count(feeders), tail: count(tail + 1), jobs: count(jobs), why }
  return t('exactly {feeders} before the tail, which begins at job {tail} of {jobs}, {why}', values)
}

export function feedersNamed(feeders: number): string {
  return t('{feeders, plural, one {# feeder} other {# feeders}}', { feeders })
}
