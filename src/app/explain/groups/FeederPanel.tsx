import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Cancelled, runJobs } from '../../../runs/remote/jobThreads.ts'
import { asAsked, emptyPoints, type FeederPoint, feederTasks, hasResource, withAnswer } from '../../../runs/study/feederSweep.ts'
import { setFeeders } from '../../../scenario/edit/edits.ts'
import { countJobs } from '../../../scenario/model/limits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { mountFeederPlot } from '../../../views/plots/feederPlot.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { ColumnSlider } from '../../base/ui/ColumnSlider.tsx'
import { edit, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import './spread.css'

/** Up to so many services the sweep is played as soon as it comes into view: it is there in a moment. */
const AT_ONCE = 120_000
/** An edit that is followed by another so soon is not played for. */
const SETTLE_MS = 400

/** What more or fewer feeders would do to the scenario: distances, losses and the end of the run over the number of feeders. Nothing where jobs do not come in groups. */
export function FeederPanel() {
  const scenario = useStore(scenarioStore, (state) => state.scenario)
  // The number of feeders is what is asked about: another one changes nothing here.
  return scenario.source.kind === 'groups' ? <SweepOf key={sweepKey(scenario)} scenario={scenario} /> : null
}

/** Whatever changes what is played; where a card stands does not. */
function sweepKey(scenario: Scenario): string {
  const asked = asAsked(scenario, { feeders: 1, whenTaken: 'wait' })
  return JSON.stringify({ ...asked, title: '', stages: asked.stages.map((stage) => ({ ...stage, position: null })) })
}

interface Sweep {
  readonly phase: 'idle' | 'playing' | 'done' | 'stopped'
  readonly points: readonly FeederPoint[]
  readonly share: number
  readonly reason: string | null
}

/** The latest that was played to its end: a panel that is closed and opened does not begin anew. */
let kept: { readonly key: string; readonly sweep: Sweep } | null = null

function SweepOf({ scenario }: { readonly scenario: Scenario }) {
  // As it was when the sweep was asked for: the present number of feeders stays among the columns.
  const [asked] = useState(scenario)
  const services = feederTasks(asked).length * countJobs(asked.source) * asked.stages.length
  const small = services <= AT_ONCE
  const section = useRef<HTMLElement>(null)
  const stop = useRef(() => {})
  const [wanted, setWanted] = useState(false)
  const key = sweepKey(asked)
  const [sweep, setSweep] = useState<Sweep>(() => (kept?.key === key ? kept.sweep : { phase: 'idle', points: emptyPoints(asked), share: 0, reason: null }))
  const { phase } = sweep
  useEffect(() => {
    if (phase === 'done') kept = { key, sweep }
  }, [key, phase, sweep])
  useEffect(() => {
    if (!small || phase !== 'idle' || section.current === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      seen.disconnect()
      timer = setTimeout(() => setWanted(true), SETTLE_MS)
    })
    seen.observe(section.current)
    return () => {
      clearTimeout(timer)
      seen.disconnect()
    }
  }, [small, phase])
  useEffect(() => {
    if (!wanted) return
    setSweep({ phase: 'playing', points: emptyPoints(asked), share: 0, reason: null })
    const leaving = new AbortController()
    const inputs = feederTasks(asked).map((task) => ({ scenario: asked, task }))
    const finished = runJobs('feeders', inputs, {
      signal: leaving.signal,
      answer: (_, answer) => setSweep((now) => ({ ...now, points: withAnswer(now.points, answer) })),
      progress: (share) => setSweep((now) => ({ ...now, share })),
    })
    stop.current = () => {
      leaving.abort()
      setWanted(false)
      setSweep((now) => ({ ...now, phase: 'stopped' }))
    }
    finished.then(
      () => setSweep((now) => ({ ...now, phase: 'done' })),
      (error: unknown) => {
        if (error instanceof Cancelled) return
        setWanted(false)
        setSweep((now) => ({ ...now, phase: 'stopped', reason: error instanceof Error ? error.message : String(error) }))
      },
    )
    return () => leaving.abort()
  }, [asked, wanted])
  const known = sweep.points.some(({ gaps }) => gaps !== null)
  const some = sweep.points.length > 1
  return (
    <article ref={section} className="feeder-sweep" aria-label={t('Feeders')}>
      <h2>{t('How many feeders?')}</h2>
      {!some && <p className="soft">{t('A single group has nothing to be spread among.')}</p>}
      {some && !known && sweep.phase !== 'playing' && !small && (
        <p className="soft">{t('Plays this scenario with {length} numbers of feeders, all with the same luck.', { length: sweep.points.length })}</p>
      )}
      {some && (sweep.phase === 'stopped' || (sweep.phase === 'idle' && !small)) && (
        <button type="button" className="button" onClick={() => setWanted(true)}>
          {known ? t('Play all again') : t('Compare feeders')}
        </button>
      )}
      {sweep.phase === 'playing' && (
        <div className="feeder-progress">
          <progress value={sweep.share} max={1} aria-label={t('Playing with fewer and more feeders')} />
          <button type="button" className="link" onClick={() => stop.current()}>
            {t('Cancel')}
          </button>
        </div>
      )}
      {sweep.reason !== null && <p className="warning">{sweep.reason}</p>}
      {known && <Plot points={sweep.points} scenario={scenario} />}
    </article>
  )
}

function Plot({ points, scenario }: { readonly points: readonly FeederPoint[]; readonly scenario: Scenario }) {
  const [focus, setFocus] = useState(-1)
  const [taken, setTaken] = useState('')
  const resource = hasResource(scenario)
  const { source } = scenario
  const now = source.kind === 'groups' && (source.order === 'spread' || source.order === 'largestFirst') ? source.feeders : null
  const column = focus >= 0 ? focus : points.findIndex(({ feeders }) => feeders === now)
  const choose = (at: number) => {
    const { feeders } = points[at]
    setFocus(at)
    if (edit((each) => setFeeders(each, feeders))) setTaken(t('Taken: {feeders}.', { feeders: named(feeders) }))
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

/** Where the promise of the feeders ends. */
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
