import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Fold } from '../../../app/base/controls/Fold.tsx'
import { policyOptions, Select } from '../../../app/base/controls/Select.tsx'
import { CopyField } from '../../../app/base/ui/CopyField.tsx'
import { linkTo } from '../../../app/session/address.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import { MAX_SEED } from '../../../scenario/model/limits.ts'
import { clock, fixed } from '../../../views/drawing/format.ts'
import { type Contest, contestants, type Find, type FinderMeasure, finderMeasures } from '../finder.ts'
import './finder.css'
import { kindName } from '../../../scenario/model/policies.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import type { Found } from '../finderShrink.ts'
import { type FinderResult, finderQuestion, finderStore, finderStudy, openFind, stopFinding } from './finding.ts'

/** Searches for the scenario in which one policy does worst against another. */
export function FinderPart() {
  return (
    <Fold id="finder" className="finder" head={<h3>{t('Find where it fails')}</h3>} note={t('the scenario in which a policy does worst')}>
      <Finder />
    </Fold>
  )
}

function Finder() {
  const session = useSession()
  const asked = useStore(finderStore(session))
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const { study, state, stale, start } = useStudy(finderStudy, finderQuestion(asked, scenario))
  const { worse, than, enough } = asked
  const running = state.phase === 'running'
  // What was found is worth reading whatever is asked next: it says itself what it is about.
  const shown = stale ?? state
  return (
    <div>
      <Question />
      <div className="finder-row">
        {!running && <Button onClick={start} disabled={worse === than} text={t('Find')} />}
        {worse === than && <span className="warning">{t('Choose two different policies.')}</span>}
        {running && <JobProgress job={study} label={t('Searching')} cancel={() => stopFinding(session)} cancelText={t('Stop')} />}
        {running && <BestSoFar best={state.found?.best ?? 0} enough={enough} />}
        {state.phase === 'failed' && <JobFailure job={study} />}
      </div>
      {shown.phase === 'done' && shown.found !== null && <Result result={shown.found} />}
    </div>
  )
}

function Question() {
  const session = useSession()
  const store = finderStore(session)
  const { worse, than, measure, seed, around } = useStore(store)
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const options = policyOptions(scenario.policy).filter(([kind]) => contestants.includes(kind))
  const names = measureNames()
  return (
    <div className="finder-row">
      <label>
        {t('Policy')} <Select aria-label={t('Policy that fails')} value={worse} options={options} choose={(kind) => store.setState({ worse: kind })} />
      </label>
      <label>
        {t('against')} <Select aria-label={t('Policy to compare with')} value={than} options={options} choose={(kind) => store.setState({ than: kind })} />
      </label>
      <label>
        {t('by')}{' '}
        <Select
          aria-label={t('Result to compare')}
          value={measure}
          options={finderMeasures.map((name) => [name, names[name]])}
          choose={(name) => store.setState({ measure: name })}
        />
      </label>
      <label title={t('Another seed is another search. The same seed finds the same.')}>
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

function BestSoFar({ best, enough }: { readonly best: number; readonly enough: boolean }) {
  if (enough) return <span className="soft">{t('Making the best simpler.')}</span>
  return best > 0 && <span className="soft">{t('Best so far: {best} times.', { best: fixed(best, 2) })}</span>
}

function Result({ result: { contest, find } }: { readonly result: FinderResult }) {
  const session = useSession()
  if (find === null) return <p>{t('In no trial did both policies finish all jobs. Try another seed or another scenario.')}</p>
  const { worse, than } = contest
  const link = linkTo(session.address, toShortFragment(find.scenario, { record: 'compare', policies: [worse, than], at: find.parting?.time ?? null }))
  return (
    <>
      <p aria-live="polite">
        <b>{findSentence(contest, find)}</b> {partingSentence(contest, find)}
      </p>
      <div className="finder-row">
        <Button onClick={() => void openFind(session, contest, find)} text={t('Open it')} />
        <CopyField label={t('Link')} what={t('the link')} text={link} />
      </div>
    </>
  )
}

/** Returns what the figures are called from which one is chosen. */
export const measureNames = (): Readonly<Record<FinderMeasure, string>> => ({
  makespan: t('makespan'),
  meanWait: t('mean wait'),
  meanFlowTime: t('mean flow time'),
  p50FlowTime: t('median flow time'),
  p99FlowTime: t('99% flow time'),
  meanJobsInSystem: t('jobs in the system'),
  switches: t('moves of workers'),
  reordered: t('jobs out of order'),
  contendedTime: t('waiting for taken groups'),
})

const counts: readonly FinderMeasure[] = ['meanJobsInSystem', 'switches', 'reordered']

/** Returns in a sentence what was found. */
export function findSentence({ worse, than, measure }: Contest, { scenario, ratio }: Found): string {
  const values = {
    worse: kindName(worse, scenario.policy),
    than: kindName(than, scenario.policy),
    ratio: fixed(ratio, ratio < 1.095 ? 2 : 1),
    measure: measureNames()[measure],
    stages: scenario.stages.length,
    workers: scenario.workers,
    jobs: countJobs(scenario.source),
  }
  return counts.includes(measure)
    ? t(
        '{worse} has {ratio} times as many as {than} ({measure}) on {stages, plural, one {# stage} other {# stages}}, {workers, plural, one {# worker} other {# workers}} and {jobs, plural, one {# job} other {# jobs}}.',
        values,
      )
    : t(
        '{worse} takes {ratio} times as long as {than} ({measure}) on {stages, plural, one {# stage} other {# stages}}, {workers, plural, one {# worker} other {# workers}} and {jobs, plural, one {# job} other {# jobs}}.',
        values,
      )
}

/** Returns in a sentence where the two runs of a find differ first, with the stage at which they differ most. */
export function partingSentence({ worse, than }: Contest, { scenario, parting }: Find): string {
  if (parting === null) return ''
  const names = { worse: kindName(worse, scenario.policy), than: kindName(than, scenario.policy), time: clock(parting.time) }
  if (parting.by === 'orders') return t('The first difference is at {time}: with the same targets, {worse} and {than} send different workers.', names)
  const [ones, others] = parting.seats
  const gaps = ones.map((n, s) => Math.abs(n - others[s]))
  const s = gaps.indexOf(Math.max(...gaps))
  return t(
    'The first difference is at {time}: {worse} gives {stage} {n, plural, =0 {no worker} one {# worker} other {# workers}}, {than} gives it {m, number}.',
    { ...names, stage: scenario.stages[s].name, n: ones[s], m: others[s] },
  )
}
