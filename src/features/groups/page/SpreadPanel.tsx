import { sum } from 'd3-array'
import { useState } from 'react'
import { useStore } from 'zustand'
import { TEXT_PACE } from '../../../app/base/browser/frames.ts'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { PanelFold } from '../../../app/session/page/PanelFold.tsx'
import { onScene, type Scene } from '../../../app/session/page/painter.ts'
import { runLogs } from '../../../app/session/page/runLogs.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Frame } from '../../../measures/frame/frame.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario, Source } from '../../../scenario/model/scenario.ts'
import { groupOrders } from '../../../scenario/model/sources.ts'
import { mountSpread } from '../draw/spreadDrawing.ts'
import { groupsToCome, type HeldGroup, type JobMark, jobsTaken, type SpreadScene } from '../draw/spreadLayout.ts'
import { createStageProgress, extendStageProgress, inHandsAt, isServed, reachedAt } from '../measure/feederGaps.ts'
import { type Spreading, spreadAt, spreadingOf } from '../measure/spreading.ts'
import { feedersNamed } from './FeederPanel.tsx'
import './spread.css'

/** How jobs that come in groups are spread, in the run on the page or else in the scenario. Nothing if jobs do not come in groups. */
export function SpreadPanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const run = useStore(runStore(session), (state) => state.run)
  const shown = run !== null && run.scenario.source.kind === 'groups' ? run.scenario : scenario
  if (shown.source.kind !== 'groups') return null
  return (
    <PanelFold id="spread" className="spread" title={t('Spread')} note={orderWords(shown.source)}>
      <Picture scenario={shown} />
    </PanelFold>
  )
}

function Picture({ scenario }: { readonly scenario: Scenario }) {
  const session = useSession()
  const [sentence, setSentence] = useState('')
  const host = useDrawing(
    mountSpread,
    (drawing) => {
      const sceneOf = (painted: Scene | null) =>
        painted !== null && painted.run.scenario === scenario
          ? spreadSceneAt(session, painted.run, painted.frame)
          : spreadSceneBefore(scenario)
      const draw = (painted: Scene | null) => {
        const scene = sceneOf(painted)
        if (scene !== null) drawing.update({ palette: currentPalette(), scene, description: spreadWords(scene) })
      }
      const writeSentence = (painted: Scene | null) => {
        const scene = sceneOf(painted)
        if (scene !== null) setSentence(contentionSentence(scenario, scene.held))
      }
      const ends = [onScene(session, draw), onScene(session, writeSentence, TEXT_PACE)]
      return () => {
        for (const end of ends) end()
      }
    },
    [scenario, session],
  )
  return (
    <>
      <div ref={host} />
      <p className="spread-message soft">{sentence}</p>
    </>
  )
}

const MAX_OPEN = 60

const spreadings = new WeakMap<Scenario, Spreading | null>()
const servings = runLogs({
  create: (trace) => createStageProgress(trace, stageOf(trace.scenario)),
  extend: extendStageProgress,
  reads: (log, _, t) => log.time > t,
})

/** Returns how jobs are spread, and which workers have them, at the instant of `frame`; null while the trace is not read that far, or without groups. */
export function spreadSceneAt(session: Session, run: Run, frame: Frame): SpreadScene | null {
  const { scenario } = run
  const spreading = spreadingFor(scenario)
  const log = servings(session)(run, frame.time)
  if (spreading === null || log === null) return null
  // A first queue with a bound asks for jobs before the workers do.
  const fetches = scenario.stages[stageNumbers(scenario)[0]].capacity !== null
  const emitted = Math.min(
    frame.arrived,
    Math.max(reachedAt(log, frame.time), fetches ? frame.arrived - frame.outside : 0),
  )
  const marks = new Map<number, JobMark>()
  inHandsAt(log, frame).forEach((jobs, w) => {
    for (const job of jobs) marks.set(job, frame.workers[w].contendedSince >= 0 ? 'contended' : 'held')
  })
  return {
    spreading,
    state: spreadAt(spreading, emitted, Math.max(MAX_OPEN, spreading.feeders)),
    markOf: (job) => marks.get(job) ?? (isServed(log, job, frame.time) ? 'served' : job < emitted ? 'given' : 'coming'),
    held: heldAt(scenario, frame, log.stage),
    front: marks.size === 0 ? null : Math.min(...marks.keys()),
    place: placeOf(scenario),
    workers: frame.workers.length,
  }
}

/** Returns the scene before a run, when no job has been taken; null without groups. */
export function spreadSceneBefore(scenario: Scenario): SpreadScene | null {
  const spreading = spreadingFor(scenario)
  if (spreading === null) return null
  return {
    spreading,
    state: spreadAt(spreading, 0),
    markOf: () => 'coming',
    held: [],
    front: null,
    place: placeOf(scenario),
    workers: scenario.workers,
  }
}

/** Returns the drawing in one sentence, for screen readers. */
export function spreadWords({ spreading, state }: SpreadScene): string {
  const { feeders } = spreading
  const progress = [groupsToCome(spreading, state), jobsTaken(spreading, state)]
  return [...(feeders > 0 ? [feedersNamed(feeders)] : []), ...progress].join('; ')
}

/** Returns a sentence on which workers wait for which. */
export function contentionSentence(scenario: Scenario, held: readonly HeldGroup[]): string {
  const resources = scenario.stages.filter(({ resource }) => resource !== null)
  if (resources.length === 0) return t('No stage holds a group for itself.')
  if (resources.every(({ whenTaken }) => whenTaken === 'skip')) return t('Workers skip jobs of taken groups.')
  const blocked = held.filter(({ waiting, serving }) => waiting.length > 0 && serving.length > 0)
  if (blocked.length === 0) return t('No worker waits for a group.')
  const { group, serving, waiting: behind } = blocked[0]
  const n = sum(blocked, ({ waiting }) => waiting.length) - 1
  const more = n === 0 ? '' : t(' {n, plural, one {# more waits} other {# more wait}}.', { n })
  const values = { behind: behind[0], group: group + 1, serving: serving[0], more }
  return t('Worker {behind} has a job of group {group} and waits for worker {serving}, who is at one.{more}', values)
}

export function orderWords({ order, feeders, window }: Extract<Source, { kind: 'groups' }>): string {
  const { name, uses } = groupOrders[order]
  if (uses === null) return name()
  return `${name()}: ${uses === 'window' ? window : feeders}`
}

function spreadingFor(scenario: Scenario): Spreading | null {
  if (!spreadings.has(scenario)) spreadings.set(scenario, spreadingOf(scenario.source, scenario.seed))
  return spreadings.get(scenario) ?? null
}

/** Returns the first stage that holds groups, or else the first stage. */
function stageOf(scenario: Scenario): number {
  const line = stageNumbers(scenario)
  return line.find((s) => scenario.stages[s].resource !== null) ?? line[0]
}

function placeOf(scenario: Scenario): string {
  const { stages } = scenario
  const holding = stages.filter(({ resource }) => resource !== null)
  return holding.length > 1 ? t('Groups in service') : t('At {name}', { name: stages[stageOf(scenario)].name })
}

/** Returns the workers that serve jobs, by group and stage, in the order of their numbers. */
function heldAt({ stages }: Scenario, { workers }: Frame, stage: number): readonly HeldGroup[] {
  const held = new Map<string, { group: number; stage: number; serving: number[]; waiting: number[] }>()
  const anyHolds = stages.some(({ resource }) => resource !== null)
  workers.forEach((worker, w) => {
    if (worker.status !== 'busy' || worker.group < 0) return
    if (anyHolds ? stages[worker.stage].resource === null : worker.stage !== stage) return
    const key = `${worker.stage} ${worker.group}`
    const entry = held.get(key) ?? { group: worker.group, stage: worker.stage, serving: [], waiting: [] }
    held.set(key, entry)
    if (worker.contendedSince >= 0) entry.waiting.push(w + 1)
    else entry.serving.push(w + 1)
  })
  return [...held.values()].sort((a, b) => (a.serving[0] ?? 999) - (b.serving[0] ?? 999))
}
