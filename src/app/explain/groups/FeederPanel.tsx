import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { asAsked, emptyPoints, type FeederPoint, feederTasks, hasResource } from '../../../runs/study/feederSweep.ts'
import { setFeeders } from '../../../scenario/edit/edits.ts'
import { countJobs } from '../../../scenario/model/limits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { mountFeederPlot } from '../../../views/plots/feederPlot.ts'
import { watch } from '../../base/browser/onScreen.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { ColumnSlider } from '../../base/ui/ColumnSlider.tsx'
import { JobProgress } from '../../session/run/JobProgress.tsx'
import { editOrRefuse, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { feederJob, feederStore, leaveFeeders, startFeeders } from './feeders.ts'
import './spread.css'

/** A sweep of at most so many services takes a moment, and begins as soon as it comes into view. */
const AT_ONCE = 120_000
/** The sweep begins so long after the last edit. */
const SETTLE_MS = 400

/** What more or fewer feeders would do: distances, losses and makespan over the number of feeders. Nothing if jobs do not come in groups. */
export function FeederPanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  // Another number of feeders changes nothing here: the sweep plays them all.
  return scenario.source.kind === 'groups' ? <SweepOf key={keyOf(scenario)} scenario={scenario} /> : null
}

/** Returns a key that changes with what is played; where a card stands does not count. */
function keyOf(scenario: Scenario): string {
  const asked = asAsked(scenario, { feeders: 1, whenTaken: 'wait' })
  return JSON.stringify({ ...asked, title: '', stages: asked.stages.map((stage) => ({ ...stage, position: null })) })
}

function SweepOf({ scenario }: { readonly scenario: Scenario }) {
  const session = useSession()
  // As it was when the panel opened: the present number of feeders stays among the columns.
  const [asked] = useState(scenario)
  const key = keyOf(asked)
  const small = feederTasks(asked).length * countJobs(asked.source) * asked.stages.length <= AT_ONCE
  const section = useRef<HTMLElement>(null)
  const sweep = useStore(feederStore(session), (state) => state.sweep)
  const job = feederJob(session)
  const phase = useStore(job.store, (state) => state.phase)
  const failure = useStore(job.store, (state) => (state.phase === 'failed' ? state.sentence : null))
  const begun = sweep?.key === key
  useEffect(() => {
    if (!small || begun || section.current === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = watch(section.current, (on) => {
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
    <article ref={section} className="feeder-sweep" aria-label={t('Feeders')}>
      <h2>{t('How many feeders?')}</h2>
      {!some && <p className="soft">{t('A single group has nothing to be spread among.')}</p>}
      {some && !known && !playing && !small && (
        <p className="soft">{t('Plays this scenario with {length} numbers of feeders, all with the same luck.', { length: points.length })}</p>
      )}
      {some && (begun ? phase === 'idle' || phase === 'failed' : !small) && (
        <button type="button" className="button" onClick={() => startFeeders(session, key, asked)}>
          {known ? t('Play all again') : t('Compare feeders')}
        </button>
      )}
      {playing && (
        <div className="feeder-progress">
          <JobProgress job={job} label={t('Playing with fewer and more feeders')} />
        </div>
      )}
      {begun && failure !== null && <p className="warning">{failure}</p>}
      {known && <Plot points={points} scenario={scenario} />}
    </article>
  )
}

function Plot({ points, scenario }: { readonly points: readonly FeederPoint[]; readonly scenario: Scenario }) {
  const session = useSession()
  const [focus, setFocus] = useState(-1)
  const [taken, setTaken] = useState('')
  const resource = hasResource(scenario)
  const { source } = scenario
  const now = source.kind === 'groups' && (source.order === 'spread' || source.order === 'largestFirst') ? source.feeders : null
  const column = focus >= 0 ? focus : points.findIndex(({ feeders }) => feeders === now)
  const choose = (at: number) => {
    const { feeders } = points[at]
    setFocus(at)
    if (editOrRefuse(session, (each) => setFeeders(each, feeders))) setTaken(t('Taken: {feeders}.', { feeders: named(feeders) }))
  }
  return (
    <figure>
      <ColumnSlider
        className="feeder-plot"
        label={t('Feeders to look at; Enter takes them')}
        values={points.map(({ feeders }) => feeders)}
        column={column}
        text={column < 0 ? t('none yet') : inWords(points[column], resource)}
        mount={mountFeederPlot}
        data={{ palette: currentPalette(), columns: points, resource, now, focus }}
        look={setFocus}
        choose={choose}
      />
      <figcaption className="soft">
        {column < 0 ? (
          t('Point at a number of feeders, or walk with the arrow keys; a click or Enter takes it.')
        ) : (
          <Told point={points[column]} resource={resource} />
        )}
        <span className="unseen" aria-live="polite">
          {taken}
        </span>
      </figcaption>
    </figure>
  )
}

function Told({ point, resource }: { readonly point: FeederPoint; readonly resource: boolean }) {
  return (
    <>
      <b>{named(point.feeders)}</b>: {details(point, resource).join('; ')}.
    </>
  )
}

function inWords(point: FeederPoint, resource: boolean): string {
  return `${named(point.feeders)}: ${details(point, resource).join('; ')}`
}

function details({ feeders, gaps, wait, skip }: FeederPoint, resource: boolean): string[] {
  if (gaps === null) return [t('not played yet')]
  const { whole, tail, jobs } = gaps
  const parts = [
    whole === null
      ? t('no two jobs share a group')
      : t('two jobs of a group stand at least {least} apart, in the median {median}', { least: count(whole.least), median: count(whole.median) }),
  ]
  if (whole !== null) parts.push(tailWords(feeders, tail, jobs))
  if (wait !== null && resource) parts.push(t('contended {contendedTime}', { contendedTime: duration(wait.contendedTime) }))
  if (wait !== null && wait.switchLoss > 0) parts.push(t('lost by changing groups {switchLoss}', { switchLoss: duration(wait.switchLoss) }))
  if (wait !== null) parts.push(t('done after {makespan}', { makespan: duration(wait.makespan) }))
  if (skip !== null) parts.push(t('or {makespan} if workers skip', { makespan: duration(skip.makespan) }))
  return parts
}

/** Returns in words up to which job the groups are as far apart as the feeders promise. */
function tailWords(feeders: number, tail: number, jobs: number): string {
  if (tail === jobs) return t('exactly {feeders} to the end: there is no tail', { feeders: count(feeders) })
  const why = t('where fewer groups than feeders are left')
  if (tail === 0) return t('all of it is tail, {why}', { why })
  return t('exactly {feeders} before the tail, which begins at job {tail} of {jobs}, {why}', {
    feeders: count(feeders),
    tail: count(tail + 1),
    jobs: count(jobs),
    why,
  })
}

function named(feeders: number): string {
  return t('{feeders, plural, one {# feeder} other {# feeders}}', { feeders })
}
