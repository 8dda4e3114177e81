import './finder.css'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Fold } from '../../../app/base/controls/Fold.tsx'
import { methodOptions, policyOptions, Select } from '../../../app/base/controls/Select.tsx'
import { CopyField } from '../../../app/base/ui/CopyField.tsx'
import { linkTo } from '../../../app/session/address.ts'
import { openRecord } from '../../../app/session/page/showing.ts'
import { openScenario } from '../../../app/session/run/opening.ts'
import { movePlayback } from '../../../app/session/run/runStore.ts'
import { start } from '../../../app/session/run/startStop.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { study, useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import { MAX_SEED } from '../../../scenario/model/limits.ts'
import { isMethod } from '../../../scenario/model/methods.ts'
import { kindName } from '../../../scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { clock, fixed } from '../../../views/drawing/format.ts'
import { comparePolicies } from '../../compare/page/comparing.ts'
import {
  type Contest,
  contestants,
  DEFAULT_RUNS,
  type Find,
  type FinderMeasure,
  type FinderQuestion,
  finderMeasures,
  findWorst,
} from '../finder.ts'
import type { Found } from '../finderShrink.ts'

/** Searches for the scenario in which one policy does worst against another. */
export function FinderPart() {
  return (
    <Fold id="finder" className="finder" head={<h3>{t('Find where it fails')}</h3>}>
      <Finder />
    </Fold>
  )
}

function Finder() {
  const session = useSession()
  const asked = useStore(finderStore(session))
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const { study, state, stale, start } = useStudy(finderStudy, finderQuestion(asked, scenario))
  const { worse, than } = asked
  const running = state.phase === 'running'
  const best = state.found?.best ?? 0
  // The result stays when the question changes: it names its own policies.
  const shown = stale ?? state
  return (
    <div>
      <Question />
      <div className="finder-row">
        {!running && <Button onClick={start} disabled={worse === than} text={t('Find')} />}
        {worse === than && <span className="warning">{t('Choose two different policies.')}</span>}
        {running && (
          <JobProgress
            job={study}
            label={t('Searching')}
            cancel={() => finderStore(session).setState({ enough: true })}
            cancelText={t('Stop')}
          />
        )}
        {running && best > 0 && (
          <span className="soft">{t('Best so far: {best} times.', { best: fixed(best, 2) })}</span>
        )}
        <JobFailure job={study} />
      </div>
      {shown.phase === 'done' && shown.found !== null && <Result result={shown.found} />}
    </div>
  )
}

function Question() {
  const session = useSession()
  const store = finderStore(session)
  const { measure, seed, around } = useStore(store)
  const names = measureNames()
  return (
    <div className="finder-row">
      <PolicyChoice side="worse" before={t('Policy')} label={t('Policy that fails')} />
      <PolicyChoice side="than" before={t('against')} label={t('Policy to compare with')} />
      <label>
        {t('by')}{' '}
        <Select
          aria-label={t('Result to compare')}
          value={measure}
          options={finderMeasures.map((name) => [name, names[name]])}
          choose={(name) => store.setState({ measure: name })}
        />
      </label>
      <label>
        {t('Seed')}{' '}
        <input
          type="number"
          min={0}
          max={MAX_SEED}
          value={seed}
          onChange={({ target }) => target.validity.valid && store.setState({ seed: target.valueAsNumber })}
        />
      </label>
      <label>
        <input type="checkbox" checked={around} onChange={({ target }) => store.setState({ around: target.checked })} />{' '}
        {t('only around the scenario on the canvas')}
      </label>
    </div>
  )
}

interface PolicyChoiceProps {
  readonly side: 'worse' | 'than'
  /** The text before the menu, and its name for screen readers. */
  readonly before: string
  readonly label: string
}

function PolicyChoice({ side, before, label }: PolicyChoiceProps) {
  const session = useSession()
  const store = finderStore(session)
  const chosen = useStore(store, (state) => state[side])
  const policy = useStore(scenarioStore(session), ({ scenario }) => scenario.policy)
  const choose = (kind: PolicyKind) => store.setState({ [side]: kind })
  const options = policyOptions(policy, [], chosen).filter(([kind]) => contestants.includes(kind))
  return (
    <label>
      {before} <Select aria-label={label} value={chosen} options={options} choose={choose} />
      {isMethod(chosen) && <Select aria-label={t('Method')} value={chosen} options={methodOptions()} choose={choose} />}
    </label>
  )
}

function Result({ result: { contest, find } }: { readonly result: FinderResult }) {
  const session = useSession()
  if (find === null)
    return <p>{t('In no trial did both policies finish all jobs. Try another seed or another scenario.')}</p>
  const { worse, than } = contest
  const link = linkTo(
    session.address,
    toShortFragment(find.scenario, { record: 'compare', policies: [worse, than], at: find.parting?.time ?? null }),
  )
  return (
    <>
      <p aria-live="polite">
        <b>{findSentence(contest, find)}</b>{' '}
        {find.parting !== null && t('The first difference is at {time}.', { time: clock(find.parting.time) })}
      </p>
      <div className="finder-row">
        <Button onClick={() => void openFind(session, contest, find)} text={t('Open')} />
        <CopyField label={t('Link')} text={link} />
      </div>
    </>
  )
}

/** Returns the names of the figures to choose from. */
const measureNames = (): Readonly<Record<FinderMeasure, string>> => ({
  makespan: t('Makespan'),
  meanWait: t('Wait, mean'),
  meanFlowTime: t('Flow time, mean'),
  p50FlowTime: t('median flow time'),
  p99FlowTime: t('99% flow time'),
  meanJobsInSystem: t('Jobs in the system'),
  switches: t('Changes of stage'),
  reordered: t('Out of order'),
  contendedTime: t('In line for a resource'),
})

function findSentence({ worse, than, measure }: Contest, { scenario, ratio }: Found): string {
  return t(
    '{measure}: {worse} has {ratio} times that of {than}, on {stages, plural, one {# stage} other {# stages}}, {workers, plural, one {# worker} other {# workers}} and {jobs, plural, one {# job} other {# jobs}}.',
    {
      worse: kindName(worse, scenario.policy),
      than: kindName(than, scenario.policy),
      ratio: fixed(ratio, ratio < 1.095 ? 2 : 1),
      measure: measureNames()[measure],
      stages: scenario.stages.length,
      workers: scenario.workers,
      jobs: countJobs(scenario.source),
    },
  )
}

interface FinderState extends Pick<Contest, 'worse' | 'than' | 'measure'> {
  readonly seed: number
  /** Search around the scenario on the canvas, instead of among all small ones. */
  readonly around: boolean
  /** The search ends with the best so far, which is still made simpler. */
  readonly enough: boolean
}

type AskedSearch = Omit<FinderQuestion, 'runs'>

interface FinderResult {
  readonly contest: Contest
  /** The greatest ratio so far; 0 while no trial has counted. */
  readonly best: number
  /** Null before the search has ended, and if no trial counted. */
  readonly find: Find | null
}

const finderStore = part(() =>
  createStore<FinderState>(() => ({
    worse: 'leastScore',
    than: 'sinkFirst',
    measure: 'meanFlowTime',
    seed: 1,
    around: false,
    enough: false,
  })),
)

function finderQuestion({ worse, than, measure, seed, around }: FinderState, canvas: Scenario): AskedSearch {
  const code = canvas.policy.kind === 'code' && [worse, than].includes('code') ? canvas.policy : null
  return { worse, than, measure, code, seed, around: around ? canvas : null }
}

/** Searches for the scenario in which the chosen policy fails, on all cores. */
const finderStudy = study<AskedSearch, FinderResult>({
  key: ({ around, ...question }) => JSON.stringify([question, around && comparisonKey(around)]),
  async work({ seed, around, ...contest }, { session, signal, progress, show }) {
    const store = finderStore(session)
    store.setState({ enough: false })
    let greatest = 0
    show({ contest, best: greatest, find: null })
    const threads = openJobThreads(undefined, signal)
    const host = {
      play: (task: Parameters<typeof threads.run<'finder'>>[1]) => threads.run('finder', task),
      enough: () => store.getState().enough,
      onProgress(best: number, share: number) {
        greatest = best
        show({ contest, best, find: null })
        progress(share)
      },
    }
    const find = await findWorst({ ...contest, seed, runs: DEFAULT_RUNS, around }, host).finally(threads.end)
    return { contest, best: greatest, find }
  },
})

/** Opens the scenario that was found, and compares the two policies where their runs differ first. Undo brings back what was on the canvas. */
async function openFind(session: Session, { worse, than }: Contest, { scenario, parting }: Find): Promise<void> {
  openScenario(session, scenario)
  comparePolicies(session, [worse, than])
  openRecord(session, 'compare')
  await start(session)
  movePlayback(session, { time: parting?.time ?? 0, playing: false, following: false })
}
