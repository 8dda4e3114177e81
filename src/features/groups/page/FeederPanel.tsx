import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Fold } from '../../../app/base/controls/Fold.tsx'
import { ColumnSlider } from '../../../app/base/ui/ColumnSlider.tsx'
import { useInLesson } from '../../../app/session/page/showing.ts'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useSeen, useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { setFeeders } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { feederBands } from '../draw/feederBands.ts'
import { emptyPoints, type FeederPoint, feederTasks, hasResource } from '../study/feederSweep.ts'
import { feederDetails, feederKey, feederStudy, feedersNamed } from './feeders.ts'
import './spread.css'

/** A sweep of at most this many services takes a moment, and starts as soon as it comes into view. */
const AT_ONCE = 120_000

/** What more or fewer feeders would do: distances, losses and makespan over the number of feeders. Nothing if jobs do not come in groups. */
export function FeederPanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const inLesson = useInLesson()
  if (scenario.source.kind !== 'groups') return null
  const now = feedersNow(scenario)
  return (
    <article className="panel-fold feeder-sweep" aria-label={t('Feeders')}>
      <Fold id="feeders" head={<h3>{t('How many feeders?')}</h3>} note={now === null ? undefined : feedersNamed(now)} opens={inLesson}>
        {/* Another number of feeders changes nothing here: the sweep plays them all. */}
        <SweepOf key={feederKey(scenario)} scenario={scenario} />
      </Fold>
    </article>
  )
}

/** Returns the number of feeders of a scenario; null if its order has none. */
function feedersNow({ source }: Scenario): number | null {
  return source.kind === 'groups' && (source.order === 'spread' || source.order === 'largestFirst') ? source.feeders : null
}

function SweepOf({ scenario }: { readonly scenario: Scenario }) {
  // As it was when the panel opened: the present number of feeders stays among the columns.
  const [asked] = useState(scenario)
  const small = feederTasks(asked).length * countJobs(asked.source) * asked.stages.length <= AT_ONCE
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
        <p className="soft">{t('Runs this scenario with {length} numbers of feeders, all with the same random seed.', { length: points.length })}</p>
      )}
      {some && waits && <Button onClick={start} text={known ? t('Play all again') : t('Compare feeders')} />}
      {playing && <JobProgress job={study} label={t('Playing with fewer and more feeders')} />}
      {state.phase === 'failed' && <JobFailure job={study} />}
      {known && <Plot points={points} scenario={scenario} />}
    </div>
  )
}

function Plot({ points, scenario }: { readonly points: readonly FeederPoint[]; readonly scenario: Scenario }) {
  const session = useSession()
  const [focus, setFocus] = useState(-1)
  const [taken, setTaken] = useState('')
  const resource = hasResource(scenario)
  const now = feedersNow(scenario)
  const column = focus >= 0 ? focus : points.findIndex(({ feeders }) => feeders === now)
  const choose = (at: number) => {
    const { feeders } = points[at]
    setFocus(at)
    if (editOrShowProblems(session, (each) => setFeeders(each, feeders))) setTaken(t('Taken: {feeders}.', { feeders: feedersNamed(feeders) }))
  }
  return (
    <figure>
      <ColumnSlider
        className="feeder-plot"
        label={t('Feeders to look at; Enter takes them')}
        values={points.map(({ feeders }) => feeders)}
        column={column}
        text={column < 0 ? t('none yet') : `${feedersNamed(points[column].feeders)}: ${feederDetails(points[column], resource)}`}
        now={now}
        focus={focus}
        bands={feederBands(points, resource)}
        write={String}
        look={setFocus}
        choose={choose}
      />
      <figcaption className="soft">
        {column < 0 ? (
          t('Point at a number of feeders, or walk with the arrow keys; a click or Enter takes it.')
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
