import { useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { setStage, setWorkers } from '../../../scenario/edit/edits.ts'
import { scaledService, serviceMean } from '../../../scenario/model/distributions.ts'
import { engineNames, engines } from '../../../scenario/model/engines.ts'
import { MAX_REAL_WORKERS, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { isMethod } from '../../../scenario/model/methods.ts'
import { kindName, policyName } from '../../../scenario/model/policies.ts'
import type { Micros, PolicyKind, Stage } from '../../../scenario/model/scenario.ts'
import { duration } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { methodOptions, policyOptions, Select } from '../../base/controls/Select.tsx'
import { Slider, upTo } from '../../base/forms/Slider.tsx'
import { lessonStore, openPanel } from '../../session/page/showing.ts'
import { chooseEngine } from '../../session/run/opening.ts'
import { runStore } from '../../session/run/runStore.ts'
import { start } from '../../session/run/startStop.ts'
import { editOrShowProblems, scenarioStore, withChosenPolicy } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { policyLine } from './policyLines.ts'
import { useBottleneck } from './useBottleneck.ts'

/** The number of workers. What is typed stays until the scenario can take it. */
export function WorkersKnob() {
  const session = useSession()
  const workers = useStore(scenarioStore(session), ({ draft }) => draft.workers)
  const [typed, setTyped] = useState<string | null>(null)
  const setCount = (n: number) => editOrShowProblems(session, (now) => setWorkers(now, n), 'workers')
  function readTyped(text: string) {
    setTyped(text)
    if (text.trim() !== '' && setCount(Number(text))) setTyped(null)
  }
  return (
    <div className="knob" data-control="workers editing">
      <label className="field small">
        <span>{t('Workers')}</span>
        <input
          type="number"
          min={1}
          max={MAX_WORKERS}
          step={1}
          value={typed ?? workers}
          aria-invalid={typed !== null}
          onChange={(event) => readTyped(event.target.value)}
          onBlur={() => setTyped(null)}
        />
      </label>
      <Slider
        label={t('Workers')}
        range={upTo(MAX_REAL_WORKERS)}
        value={workers}
        text={String(workers)}
        onChange={setCount}
      />
    </div>
  )
}

const TIME_RANGE = { min: 1000, max: 60_000_000 }

/** The service time of the selected stage; without a selection, of the bottleneck. If it changes midway, the last one. */
export function StageTime() {
  const session = useSession()
  const { draft, selected } = useStore(scenarioStore(session))
  const run = useStore(runStore(session), (state) => (state.phase === 'ended' ? state.run : null))
  const bottleneck = useBottleneck(run)
  const stage =
    draft.stages.find(({ id }) => id === selected) ??
    draft.stages.find(({ id }) => id === run?.scenario.stages[bottleneck?.stage ?? -1]?.id) ??
    draft.stages.reduce((longest, each) => (meanOf(each) > meanOf(longest) ? each : longest))
  const change = stage.changes.at(-1)
  const mean = meanOf(stage)
  const setMean = (next: Micros) =>
    editOrShowProblems(session, (now) => setStage(now, stage.id, withMean(stage, next)), `mean ${stage.id}`)
  return (
    <div className="knob" data-control="editing">
      <span className="field small" title={change && t('from job {n}', { n: change.from })}>
        <span dir="auto">{stage.name}</span>
        <b>{duration(mean)}</b>
      </span>
      <Slider label={stage.name} range={TIME_RANGE} value={mean} text={duration(mean)} onChange={setMean} />
    </div>
  )
}

const lastService = ({ service, changes }: Stage) => changes.at(-1)?.service ?? service

const meanOf = (stage: Stage): Micros => Math.max(1, serviceMean(lastService(stage)))

/** Returns the change that gives the last service time of a stage another mean. */
function withMean(stage: Stage, mean: Micros): Pick<Stage, 'service'> | Pick<Stage, 'changes'> {
  const service = scaledService(lastService(stage), mean / meanOf(stage))
  const { changes } = stage
  return changes.length === 0
    ? { service }
    : { changes: changes.map((change, k) => (k === changes.length - 1 ? { ...change, service } : change)) }
}

/** The policies that stand side by side; all are in the list behind them. */
const shortcuts: readonly PolicyKind[] = ['fixed', 'onePerStage', 'leastScore', 'sinkFirst']

/** Who decides: four policies, and the list of all. */
export function PolicyChoice() {
  const session = useSession()
  const policy = useStore(scenarioStore(session), ({ draft }) => draft.policy)
  const needed = useStore(lessonStore(session), (state) => state.policies)
  function choose(kind: PolicyKind) {
    editOrShowProblems(session, (now) => withChosenPolicy(session, now, kind))
    // Code is written in the settings.
    if (kind === 'code') openPanel(session, 'scenario')
  }
  return (
    <fieldset className="segmented policies" data-control="policy editing">
      <legend className="unseen">{t('Who decides')}</legend>
      {shortcuts.map((kind) => (
        <label key={kind} className="shortcut">
          <input type="radio" name="policy" checked={policy.kind === kind} onChange={() => choose(kind)} />
          <span>{kindName(kind, policy)}</span>
        </label>
      ))}
      <label className={shortcuts.includes(policy.kind) ? 'policy' : 'policy chosen'}>
        <span className="unseen">{t('Policy')}</span>
        <b aria-hidden="true">{policyName(policy)}</b>
        <Select
          value={policy.kind}
          options={policyOptions(policy, needed).map(([kind, name, group]) => [kind, name, group, policyLine(kind)])}
          choose={choose}
        />
      </label>
      {isMethod(policy.kind) && (
        <label className="field small method">
          <span className="unseen">{t('Method')}</span>
          <Select value={policy.kind} options={methodOptions()} choose={choose} />
        </label>
      )}
    </fieldset>
  )
}

/** On what the pipeline runs, and a run on real workers by one press. */
export function EngineChoice() {
  const session = useSession()
  const { engine, phase, room } = useStore(runStore(session))
  const workers = useStore(scenarioStore(session), ({ draft }) => draft.workers)
  const runForReal = () => {
    chooseEngine(session, 'threads')
    void start(session)
  }
  return (
    <div className="answer-engine" data-control="engine">
      <fieldset className="segmented">
        <legend className="unseen">{t('Engine')}</legend>
        {engineNames
          .filter((name) => name !== 'functions' && (name !== 'room' || room !== null || engine === name))
          .map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="engine"
                checked={engine === name}
                onChange={() => chooseEngine(session, name)}
              />
              <span>{engines[name].name()}</span>
            </label>
          ))}
      </fieldset>
      {workers <= MAX_REAL_WORKERS && (
        <Button
          className="link"
          disabled={phase === 'running'}
          onClick={runForReal}
          text={t('On {n, plural, one {# Web Worker} other {# Web Workers}}', { n: workers })}
        />
      )}
    </div>
  )
}
