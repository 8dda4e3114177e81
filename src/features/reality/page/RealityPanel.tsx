import { useMemo } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select } from '../../../app/base/controls/Select.tsx'
import { useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { DeclareTimes } from '../../../app/watch/output/DeclareTimes.tsx'
import { t } from '../../../language/translate.ts'
import { engines, isRealTime } from '../../../scenario/model/engines.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { clock, count, duration, timeChange } from '../../../views/drawing/format.ts'
import { coresOf } from '../../compare/page/judging.ts'
import { residualRefusal, residualSentence } from '../measure/residual.ts'
import { DivergenceNote, OverlayFigure } from './OverlayFigure.tsx'
import { ResidualTable } from './ResidualTable.tsx'
import { type Overlay, type RealityQuestion, type RealityResult, realityStudy } from './reality.ts'
import './reality.css'
import { themeStore } from '../../../app/base/page/theme.ts'
import { useReach } from '../../../app/session/page/useReach.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'

/** A real run with the simulation of the same scenario laid over it: where they differ, and which parts took longer. */
export function RealityPanel() {
  const session = useSession()
  const phase = useStore(runStore(session), (state) => state.phase)
  const run = useStore(runStore(session), (state) => state.run)
  useStore(themeStore, (state) => state.palette)
  const why = whyNothing(run, phase)
  const shown = why === null ? run : null
  const reality = useStudy(realityStudy, shown && { run: shown, cores: coresOf(shown) }, true)
  const result = reality.state.found?.result ?? null
  useReach(result === null ? [] : [endOf(result.simulated.trace)])
  return (
    <article className="record-panel reality" aria-label={t('Real vs simulated')}>
      {shown === null ? (
        <p className="soft">{why}</p>
      ) : (
        <>
          <Head run={shown} {...reality} />
          {result !== null && <RealityText run={shown} found={result} />}
        </>
      )}
    </article>
  )
}

function Head({ run, study, state }: { readonly run: Run } & ReturnType<typeof useStudy<RealityQuestion, Overlay>>) {
  const { cores, refusal } = state.found ?? { cores: coresOf(run), refusal: null }
  const start = (on: number) => void study.start({ run, cores: on })
  return (
    <header>
      <Cores run={run} cores={cores} choose={start} />
      {run.trace.engine === 'functions' && <DeclareTimes run={run} />}
      {state.phase === 'running' && <JobProgress job={study} label={t('Simulating the real run')} />}
      {(state.phase === 'stopped' || state.phase === 'failed') && (
        <Button onClick={() => start(cores)} text={t('Lay the simulation over it')} />
      )}
      {state.phase === 'failed' && <JobFailure job={study} />}
      {refusal !== null && <p className="warning">{refusal}</p>}
    </header>
  )
}

function RealityText({ run, found }: { readonly run: Run; readonly found: RealityResult }) {
  const { residual, divergence, simulated } = found
  const sentence = useMemo(
    () => residualSentence(residual, { instant: clock, duration, change: timeChange }),
    [residual],
  )
  return (
    <>
      <p className="reality-sentence" aria-live="polite">
        {sentence}
      </p>
      <div className="reality-body">
        <div>
          <OverlayFigure run={run} found={found} />
          <DivergenceNote scenario={run.scenario} divergence={divergence} />
        </div>
        <ResidualTable scenario={run.scenario} residual={residual} />
      </div>
      <Reservations run={run} simulated={simulated} />
    </>
  )
}

/** Notes on what the simulation cannot know. */
function Reservations({ run, simulated }: { readonly run: Run; readonly simulated: Run }) {
  const where = engines[run.trace.engine].where()
  const [failed, predicted] = [run, simulated].map(({ trace }) => trace.head.counts.failed)
  const [lost, gone] = [run, simulated].map(
    ({ trace }) => trace.failures.filter(({ kind }) => kind === 'worker').length,
  )
  return (
    <>
      {failed !== predicted && (
        <p className="soft">
          {t(
            '{failed, plural, one {# job} other {# jobs}} failed {where}, {predicted} in the simulation: the two runs did not do the same work.',
            { failed, where, predicted: count(predicted) },
          )}
        </p>
      )}
      {lost !== gone && (
        <p className="soft">
          {t('{lost, plural, one {# worker was} other {# workers were}} lost {where}, {gone} in the simulation.', {
            lost,
            where,
            gone: count(gone),
          })}
        </p>
      )}
    </>
  )
}

/** What is simulated. If workers share cores, one can choose the cores of the scenario or of this machine. */
function Cores({ run, cores, choose }: { readonly run: Run; readonly cores: number; choose(cores: number): void }) {
  const { scenario } = run
  // Each device of a room has cores of its own.
  const choices =
    run.trace.engine === 'room' ? [cores] : coresToChooseFrom(scenario, navigator.hardwareConcurrency || scenario.cores)
  return (
    <p>
      <span className="soft">{t('Simulated with the same jobs and random seed, on ')}</span>
      {choices.length === 1 ? (
        <span className="soft">{coresText(cores)}</span>
      ) : (
        <Select
          aria-label={t('Cores to simulate')}
          value={cores}
          options={choices.map((choice) => {
            const values = { cores: coresText(choice) }
            return [
              choice,
              choice === scenario.cores
                ? t('{cores}, as the scenario says', values)
                : t('{cores}, as this machine has', values),
            ]
          })}
          choose={choose}
        />
      )}
    </p>
  )
}

/**
 * Returns the numbers of cores to choose from. First the scenario's own, since that is what the page predicts, and missing cores
 * are part of the difference. Second this machine's, which shows how much of the difference the shared cores explain.
 */
function coresToChooseFrom(scenario: Scenario, machine: number): readonly number[] {
  const burns = scenario.stages.some(({ work }) => work !== 'wait')
  const same = machine === scenario.cores || Math.min(machine, scenario.cores) >= scenario.workers
  return !burns || same ? [scenario.cores] : [scenario.cores, machine]
}

const coresText = (cores: number): string => t('{cores, plural, one {# core} other {# cores}}', { cores })

/** Returns why no simulation can be laid over the run; null if one can. */
function whyNothing(run: Run | null, phase: 'idle' | 'running' | 'ended'): string | null {
  if (run === null || phase !== 'ended' || !isRealTime(run.trace.engine))
    return t('The comparison appears at the end of a real run.')
  const refusal = residualRefusal(run.trace)
  return refusal === null ? null : t('This run cannot be compared with its simulation: {refusal}.', { refusal })
}
