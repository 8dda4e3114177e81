import { useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import { policies, policyName } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { endAll } from '../../base/browser/frames.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Mark } from '../../base/page/Mark.tsx'
import { openerOf } from '../../session/features/features.tsx'
import { togglePlaying } from '../../session/page/playhead.ts'
import { runStore } from '../../session/run/runStore.ts'
import { start } from '../../session/run/startStop.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { FrontGuess } from './FrontGuess.tsx'
import { closeFront, closeWhenLeft, restoreFront } from './frontPage.ts'
import { Lane, longestQueue } from './Lane.tsx'
import { fixedJob, haveEnded, playBoth, twoRuns, withFixedWorkers } from './twoRuns.ts'

/** The front page of a first visit: two runs of the same jobs show why a scheduler is worth having. */
export function Front() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  useStore(runStore(session))
  useStore(fixedJob(session).store)
  const page = useRef<HTMLElement>(null)
  useEffect(() => {
    restoreFront(session)
    return endAll([closeWhenLeft(session), playBoth(session, isStill)])
  }, [session])
  useEffect(
    () => (page.current === null ? undefined : closeWhenPassed(page.current, () => closeFront(session))),
    [session],
  )
  const fixed = useMemo(() => withFixedWorkers(scenario), [scenario])
  const both = twoRuns(session)
  const shared = {
    most: both === null ? 0 : longestQueue(both),
    still: both !== null && !runStore(session).getState().playing && isStill(),
  }
  const { run, playing } = runStore(session).getState()
  const ended = both !== null && haveEnded(session, both)
  const { workers, stages } = scenario
  const [openLessons, openGallery] = [openerOf(session, 'lessons'), openerOf(session, 'gallery')]
  const open = () => {
    closeFront(session)
    scrollTo(0, 0)
    // The focused button has been removed.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.bar [data-control=run]')?.focus())
  }
  return (
    <section className="front" ref={page} aria-label={t('What it is about')}>
      <p className="front-bar">
        <span className="brand">
          <Mark />
          Apportion
        </span>
        {openLessons !== undefined && (
          <Button className="link" onClick={() => openLessons(session)} text={t('Lessons')} />
        )}
        {openGallery !== undefined && (
          <Button className="link" onClick={() => openGallery(session)} text={t('Gallery')} />
        )}
      </p>
      <div className="front-body">
        <h2>{t('What if workers moved to where the work is?')}</h2>
        <p className="front-why">
          {t(
            'Both get the same {jobs, plural, one {job} other {# jobs}} and {workers, plural, one {worker} other {# workers}}.',
            {
              jobs: countJobs(scenario.source),
              workers,
            },
          )}{' '}
          {changeSentence(scenario)}
        </p>
        <p className="front-actions">
          <Button className="button run" onClick={() => (run === null ? void start(session) : togglePlaying(session))}>
            <svg viewBox="0 0 12 12" width="11" height="11" aria-hidden="true">
              <path d={playing ? 'M2 1h3v10H2zM7 1h3v10H7z' : 'M2 .8v10.4L11.2 6z'} fill="currentColor" />
            </svg>
            {run === null ? t('Run') : playing ? t('Pause') : ended ? t('Watch again') : t('Play')}
          </Button>
          <Button onClick={open} text={t('Try it yourself')} />
        </p>
        <div className="front-guess">
          <FrontGuess both={ended ? both : null} open={run === null} />
        </div>
        <Lane
          name={t('Every worker stays at one stage')}
          policy={t('{policy}: {n, plural, one {# worker} other {# workers}} for each stage', {
            policy: policies.fixed.name(),
            n: workers / stages.length,
          })}
          scenario={fixed}
          run={both?.fixed ?? null}
          {...shared}
        />
        <Lane
          name={t('A scheduler moves the workers')}
          policy={policyName(scenario.policy)}
          scenario={scenario}
          run={both?.moved ?? null}
          {...shared}
        />
      </div>
    </section>
  )
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Calls `passed` once the front page is scrolled out of sight, and keeps the visible part of the page in its place. */
function closeWhenPassed(page: HTMLElement, passed: () => void): () => void {
  const observer = new IntersectionObserver(
    ([{ isIntersecting, boundingClientRect }]) => {
      if (isIntersecting || boundingClientRect.top >= 0) return
      const { scrollY } = window
      const height = page.offsetHeight
      passed()
      requestAnimationFrame(() => scrollTo(0, scrollY - height))
      // An element that only touches the edge of the screen is not visible.
    },
    { rootMargin: '-1px' },
  )
  observer.observe(page)
  return () => observer.disconnect()
}

/** Returns what happens midway, in words: the first stage that changes, after how many jobs, and how much slower it gets. */
export function changeSentence({ stages }: Scenario): string {
  const stage = stages.find(({ changes }) => changes.length > 0)
  if (stage === undefined) return ''
  const [{ from, service }] = stage.changes
  const times = tenths(serviceMean(service) / serviceMean(stage.service))
  return t(
    'After {from, plural, one {# job} other {# jobs}}, {stage} gets {times, plural, one {slower} other {# times slower}}.',
    {
      from,
      stage: stage.name,
      times,
    },
  )
}

/** Rounds to one digit after the decimal point. */
const tenths = (x: number) => Math.round(x * 10) / 10
