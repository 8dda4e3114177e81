import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { watchOnScreen } from '../../../app/base/browser/onScreen.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Fold } from '../../../app/base/controls/Fold.tsx'
import { ColumnSlider } from '../../../app/base/ui/ColumnSlider.tsx'
import { JobFailure, JobProgress } from '../../../app/session/run/JobProgress.tsx'
import { useInLesson } from '../../../app/session/run/lessonStore.ts'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { setFeeders } from '../../../scenario/edit/edits.ts'
import { countJobs } from '../../../scenario/model/limits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { feederBands } from '../draw/feederBands.ts'
import { emptyPoints, type FeederPoint, feederTasks, hasResource } from '../feederSweep.ts'
import { feederJob, feederKey, feederStore, leaveFeeders, startFeeders } from './feeders.ts'
import { feederDetails, feedersNamed } from './feederWords.ts'
import './spread.css'

/** A sweep of at most so many services takes a moment, and begins as soon as it comes into view. */
const AT_ONCE = 120_000
/** The sweep begins so long after the last edit. */
const SETTLE_MS = 400

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
  const session = useSession()
  // As it was when the panel opened: the present number of feeders stays among the columns.
  const [asked] = useState(scenario)
  const key = feederKey(asked)
  const small = feederTasks(asked).length * countJobs(asked.source) * asked.stages.length <= AT_ONCE
  const section = useRef<HTMLDivElement>(null)
  const sweep = useStore(feederStore(session), (state) => state.sweep)
  const job = feederJob(session)
  const phase = useStore(job.store, (state) => state.phase)
  const begun = sweep?.key === key
  useEffect(() => {
    if (!small || begun || section.current === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = watchOnScreen(section.current, (on) => {
      if (!on) return
      end()
      timer = setTimeout(() => startFeeders(session, key, asked), SETTLE_MS)
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [small, begun, session, key, asked])
  useEffect(() => () => leaveFeeders(session), [session])
  const points = begun ? sweep.points : emptyPoints(asked)
  const playing = begun && phase === 'running'
  const known = points.some(({ gaps }) => gaps !== null)
  const some = points.length > 1
  return (
    <div ref={section} className="panel-part">
      {!some && <p className="soft">{t('A single group has nothing to be spread among.')}</p>}
      {some && !known && !playing && !small && (
        <p className="soft">{t('Runs this scenario with {length} numbers of feeders, all with the same random seed.', { length: points.length })}</p>
      )}
      {some && (begun ? phase === 'idle' || phase === 'failed' : !small) && (
        <Button onClick={() => startFeeders(session, key, asked)} text={known ? t('Play all again') : t('Compare feeders')} />
      )}
      {playing && <JobProgress job={job} label={t('Playing with fewer and more feeders')} />}
      {begun && <JobFailure job={job} />}
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
