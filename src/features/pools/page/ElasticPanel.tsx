import { bisectRight, sum } from 'd3-array'
import { Fragment, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { TEXT_PACE } from '../../../app/base/browser/frames.ts'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { useLater } from '../../../app/base/page/useLater.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { PanelFold } from '../../../app/session/page/PanelFold.tsx'
import { onScene, type Scene } from '../../../app/session/page/painter.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { type Steps, valueAt } from '../../../measures/series/steps.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { hasGains, isElastic } from '../../../scenario/model/defaults.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { policyName } from '../../../scenario/model/policies.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { phasesOf, scenarioAtPhase } from '../../../scenario/model/schedule.ts'
import { count, duration, percent } from '../../../views/drawing/format.ts'
import { mountTimePlot } from '../../../views/plots/timePlot.ts'
import { controllersOf } from '../../replay/study/controllers.ts'
import type { ControllerLog } from '../../replay/study/replay.ts'
import { type Controlled, type Reference, trajectoryBands, trajectoryEnd } from '../draw/trajectoryBands.ts'
import { PUBLISHED_EVERY, publishedOf } from '../published.ts'
import './elastic.css'
import { three } from './tuning.ts'

const SAMPLES = 400
/** The controllers of this many stages are described in words; all are drawn. */
const MAX_SHOWN = 8

/** Queues and workers over time of a run with elastic pools, with the published curve if there is one, and the simulation behind a real run. */
export function ElasticPanel() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  return run === null || !isElastic(run.scenario.policy) ? null : <PoolsOf key={run.trace.startedAt} run={run} />
}

function PoolsOf({ run }: { readonly run: Run }) {
  const session = useSession()
  const [now, setNow] = useState<PoolState | null>(null)
  useEffect(() => onScene(session, (scene) => scene?.run === run && setNow(poolAt(scene)), TEXT_PACE), [session, run])
  return (
    <PanelFold id="pools" className="elastic" title={t('Pools')} note={now === null ? '' : poolWords(now)}>
      <PoolsOverTime run={run} now={now} />
    </PanelFold>
  )
}

/** The workers and the waiting jobs of all pools at an instant. */
type PoolState = Readonly<Record<'time' | 'workers' | 'waiting', number>>

function poolAt({ run: { chart }, frame: { time, stages } }: Scene): PoolState {
  const total = (values: readonly Steps[]) => sum(stages, (_, s) => valueAt(values[s], time))
  return { time, workers: total(chart.seats), waiting: total(chart.queues) }
}

function PoolsOverTime({ run, now }: { readonly run: Run; readonly now: PoolState | null }) {
  const session = useSession()
  const ended = useStore(runStore(session), ({ phase }) => phase === 'ended')
  const published = useMemo(() => publishedFor(run.scenario), [run.scenario])
  // Not during the run: real workers need the cores.
  const predicted = useLater(ended && isRealTime(run.trace.engine) ? run.scenario : null, predictedFor)
  // The controllers of other policies have no outputs.
  const log = useLater(
    ended && phasesOf(run.scenario).some(({ policy }) => hasGains(policy) || policy.kind === 'predictive') ? run : null,
    logOf,
  )
  const references = useMemo(
    () => [published, predicted].filter((reference) => reference !== null),
    [published, predicted],
  )
  const controlled = useMemo(() => log && controlledBy(run.scenario, log), [log, run])
  const host = useDrawing(
    (element) => mountTimePlot(element),
    (drawing) =>
      onScene(session, (scene) => {
        if (scene === null) return
        const { chart } = scene.run
        const palette = currentPalette()
        drawing.update({
          palette,
          end: trajectoryEnd(scene.end, references),
          playhead: scene.frame.time,
          parts: [chart.rows, scene.end, references, controlled],
          bands: () => trajectoryBands({ palette, end: scene.end, chart, references, controlled }),
        })
      }),
    [references, controlled, session],
  )
  const { policy } = run.scenario
  return (
    <div className="panel-part">
      {isElastic(policy) && (
        <p className="soft">
          {t('{name}, every {every}', { name: policyName(policy), every: duration(policy.every) })}
        </p>
      )}
      <div ref={host} role="img" aria-label={t('Jobs waiting and workers over time')} />
      <dl>
        <dt>{t('This run')}</dt>
        <dd>{now && poolWords(now)}</dd>
        {references.map((reference) => (
          <Fragment key={reference.kind}>
            <dt className={`soft elastic-${reference.kind}`}>
              {reference.kind === 'published' ? t('Published') : t('Simulation')}
            </dt>
            <dd className="soft">{now && referenceWords(reference, now.time)}</dd>
          </Fragment>
        ))}
      </dl>
      {log !== null && (
        <ul className="elastic-controllers" aria-label={t('Outputs of the controllers')}>
          {run.scenario.stages.slice(0, MAX_SHOWN).map(({ id, name }, s) => (
            <li key={id}>
              {run.scenario.stages.length > 1 && <b>{name}</b>}
              <span>{now && controllerSentence(run.scenario, log, s, now.time)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function poolWords({ workers, waiting }: Omit<PoolState, 'time'>): string {
  const values = { workers, waiting: count(waiting) }
  return t('{workers, plural, one {# worker} other {# workers}}, {waiting} waiting', values)
}

function referenceWords({ every, queue, workers }: Reference, time: Micros): string {
  const k = Math.min(queue.length - 1, Math.floor(time / every))
  return poolWords({ workers: workers[k], waiting: queue[k] })
}

/** Returns the published curve of this scenario, or null. */
function publishedFor(scenario: Scenario): Reference | null {
  const found = publishedOf(scenario)
  return found === null ? null : { kind: 'published', ...found, every: PUBLISHED_EVERY }
}

/** Returns the outputs of the controllers of a run; null if the record cannot be replayed. */
function logOf({ trace }: Run, signal: AbortSignal): Promise<ControllerLog | null> {
  return controllersOf(trace, { signal }).catch(() => null)
}

/** Returns the simulation behind a real run; null if there is none, and the run is shown alone. */
async function predictedFor(scenario: Scenario, signal: AbortSignal): Promise<Reference | null> {
  const found = await runJob('trajectory', { scenario, samples: SAMPLES }, { signal }).catch(() => null)
  return found === null ? null : { kind: 'predicted', ...found }
}

/** Returns what the plot of the pools shows of the controllers. Bounds that change during the run are left out. */
export function controlledBy({ policy, later }: Scenario, { times, outputs }: ControllerLog): Controlled {
  const title = policy.kind === 'predictive' ? t('workers wanted') : t('output')
  return { title, times, outputs, bounds: hasGains(policy) && later.length === 0 ? [policy.up, policy.down] : [] }
}

/** Returns the latest output of a stage's controller in words; empty before the first tick, and for controllers without outputs. */
export function controllerSentence(
  scenario: Scenario,
  { times, outputs, factors }: ControllerLog,
  stage: number,
  time: Micros,
): string {
  const tick = bisectRight(times, time) - 1
  const { policy } = scenarioAtPhase(scenario, scenario.later.filter(({ at }) => at <= time).length)
  if (tick < 0) return ''
  const output = outputs[stage][tick]
  const factor = factors[stage][tick]
  if (policy.kind === 'predictive')
    return t('wants {n, plural, one {# worker} other {# workers}}; today is {share} of the profile', {
      n: output,
      share: percent(factor, 0),
    })
  if (!hasGains(policy)) return ''
  const values = { output: three(output), up: three(policy.up), down: three(policy.down) }
  const thresholds = t('output {output}: hires at {up} or below, dismisses at {down} or above', values)
  return policy.kind === 'adaptive'
    ? t('{thresholds}; gains times {factor}', { thresholds, factor: three(factor) })
    : thresholds
}
