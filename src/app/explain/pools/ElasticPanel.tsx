import { Fragment, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { valueAt } from '../../../measures/series/steps.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { mountTrajectory, type Reference } from '../../../views/plots/trajectory.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { onScene } from '../../session/run/painter.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import './elastic.css'

/** Samples of the simulated run that are drawn. */
const SAMPLES = 400

/** Queues and workers over time of a run with elastic pools, with the published curve if there is one, and the simulation behind a real run. */
export function ElasticPanel() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  return run === null || !isElastic(run.scenario.policy) ? null : <PoolsOf key={run.trace.startedAt} run={run} />
}

function PoolsOf({ run }: { readonly run: Run }) {
  const session = useSession()
  const now = useRef<HTMLElement>(null)
  const then = useRef<(HTMLElement | null)[]>([])
  const [references, setReferences] = useState<readonly Reference[]>([])
  useEffect(
    () =>
      void publishedFor(run.scenario).then(
        (found) => found !== null && setReferences((before) => [found, ...before.filter(({ kind }) => kind !== found.kind)]),
      ),
    [run.scenario],
  )
  const ended = useStore(runStore(session), ({ phase }) => phase === 'ended')
  const real = isRealTime(run.trace.engine)
  useEffect(() => {
    // Not while the run is under way: real workers need the cores.
    if (!ended || !real) return
    const leaving = new AbortController()
    runJob('trajectory', { scenario: run.scenario, samples: SAMPLES }, { signal: leaving.signal })
      .then((found) => setReferences((before) => [...before.filter(({ kind }) => kind !== 'foretold'), { kind: 'foretold', ...found }]))
      // Without a simulation the run is shown alone.
      .catch(() => {})
    return () => leaving.abort()
  }, [run.scenario, ended, real])
  const host = useDrawing(
    mountTrajectory,
    (drawing) =>
      onScene(session, (scene) => {
        if (scene === null) return
        const { chart } = scene.run
        const { time, stages } = scene.frame
        drawing.update({
          palette: currentPalette(),
          end: scene.end,
          playhead: time,
          queues: chart.queues,
          pools: chart.seats,
          references,
          version: chart.rows,
        })
        const sum = (of: (s: number) => number) => stages.reduce((total, _, s) => total + of(s), 0)
        write(
          now.current,
          sum((s) => valueAt(chart.seats[s], time)),
          sum((s) => valueAt(chart.queues[s], time)),
        )
        references.forEach(({ every, queue, workers }, i) => {
          const k = Math.min(queue.length - 1, Math.floor(time / every))
          write(then.current[i], workers[k], queue[k])
        })
      }),
    [references, session],
  )
  const { policy } = run.scenario
  return (
    <article className="elastic" aria-label={t('Pools')}>
      <header>
        <h2>{run.scenario.stages.length > 1 ? t('Pools') : t('Pool')}</h2>
        {isElastic(policy) && <span className="soft">{t('{name}, every {every}', { name: policies[policy.kind].name(), every: duration(policy.every) })}</span>}
      </header>
      <div ref={host} />
      <dl>
        <dt>{t('This run')}</dt>
        <dd ref={now} />
        {references.map(({ kind }, i) => (
          <Fragment key={kind}>
            <dt className={`soft elastic-${kind}`}>{kind === 'published' ? t('Published') : t('Simulation')}</dt>
            <dd
              className="soft"
              ref={(element) => {
                then.current[i] = element
              }}
            />
          </Fragment>
        ))}
      </dl>
    </article>
  )
}

function write(target: HTMLElement | null | undefined, workers: number, waiting: number): void {
  const words = t('{workers, plural, one {# worker} other {# workers}}, {waiting} waiting', { workers, waiting: count(waiting) })
  if (target && target.textContent !== words) target.textContent = words
}

/** Returns the published curve of this scenario, or null. The curves are fetched when one may be shown. */
async function publishedFor(scenario: Scenario): Promise<Reference | null> {
  if (scenario.policy.kind !== 'pid') return null
  const { publishedOf, PUBLISHED_EVERY } = await import('../../../scenario/text/published.ts')
  const found = publishedOf(scenario)
  return found === null ? null : { kind: 'published', ...found, every: PUBLISHED_EVERY }
}
