import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { setOptions, setWorkers } from '../../../scenario/edit/edits.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import { MAX_SEED } from '../../../scenario/model/limits.ts'
import type { Batch, Estimator, Prior } from '../../../scenario/model/scenario.ts'
import { policyOptions } from '../../base/controls/Select.tsx'
import { inside, kindOf, shownAs } from '../../base/forms/bound.ts'
import { CheckField, DurationField, NumberField, SelectField, TextField } from '../../base/forms/fields.tsx'
import { IconButton } from '../../base/forms/IconButton.tsx'
import type { Param } from '../../base/forms/param.ts'
import { upTo } from '../../base/forms/Slider.tsx'
import { editOrShowProblems, scenarioStore, withChosenPolicy } from '../../session/scenario/scenarioStore.ts'
import { useSecrets } from '../../session/secrets/secrets.ts'
import { useSession } from '../../session/useSession.ts'
import { settingOf } from './bounds.ts'
import { NetworkFields } from './NetworkFields.tsx'
import { Params } from './Params.tsx'
import { PolicyParams } from './PolicyParams.tsx'
import { WorkerEvents } from './WorkerEvents.tsx'

const estimators = (): readonly (readonly [Estimator['kind'], string])[] => [
  ['mean', t('Mean of all measured')],
  ['window', t('Mean of the latest')],
  ['ewma', t('Fading mean')],
]
const priors = (): readonly (readonly [Prior, string])[] => [
  ['neighbours', t('As its neighbours')],
  ['declared', t('As declared')],
  ['one', t('One microsecond')],
]
const estimatorParams = (): Readonly<Record<Estimator['kind'], readonly Param[]>> => ({
  mean: [],
  window: [{ key: 'n', label: t('Latest'), kind: 'number', unit: t('jobs'), by: 5 }],
  ewma: [{ key: 'alpha', label: t('Newest weighs'), kind: 'number', by: 0.05, slider: { least: 0.01, most: 1 } }],
})
const batchKinds = () =>
  [
    ['fixed', t('Of one size')],
    ['adaptive', t('As the queue allows')],
  ] as const
const DICE = 'M3.5 3.5h9v9h-9zM6 6h.01M10 6h.01M8 8h.01M6 10h.01M10 10h.01'

/** The settings of the whole scenario. */
export function ScenarioSettings() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.draft)
  const { policy } = scenario
  const secret = useSecrets().policy
  const batch = settingOf(scenario, 'batch')
  const estimator = settingOf(scenario, 'estimator')
  return (
    <section className="form" aria-label={t('Settings')}>
      <TextField label={t('Title')} {...settingOf(scenario, 'title')} />
      <NumberField
        label={t('Seed')}
        hint={t('Same random seed')}
        path="seed"
        value={scenario.seed}
        change={(before, seed) => setOptions(before, { seed })}
        after={
          <IconButton
            label={t('Another seed')}
            path={DICE}
            onClick={() => editOrShowProblems(session, (before) => setOptions(before, { seed: Math.floor(Math.random() * (MAX_SEED + 1)) }))}
          />
        }
      />
      <h3>{t('Workers')}</h3>
      <NumberField
        label={!secret && isElastic(policy) ? t('At most') : t('At the start')}
        hint={!secret && policy.kind === 'greenThreads' ? t('Green threads have a number of their own, below') : undefined}
        path="workers"
        value={scenario.workers}
        slider={upTo(64)}
        change={setWorkers}
      />
      {scenario.network === null && (
        <NumberField label={t('Cores')} hint={t('At once, in the simulation')} {...settingOf(scenario, 'cores')} slider={upTo(64)} />
      )}
      <DurationField label={t('Switch cost')} hint={t('Lost when a worker changes stage')} {...settingOf(scenario, 'switchCost')} />
      {scenario.source.kind === 'groups' && (
        <DurationField label={t('Group switch cost')} hint={t('Lost when a worker changes group')} {...settingOf(scenario, 'groupSwitchCost')} />
      )}
      <SelectField label={t('Batches')} {...shownAs(batch, batchKind, (kind) => batchOf(kind, scenario.batch))} options={batchKinds()} />
      {scenario.batch.size !== undefined && (
        <NumberField label={t('Batch')} unit={t('jobs')} {...inside({ ...batch, value: scenario.batch }, 'size')} slider={upTo(1000)} />
      )}
      <CheckField
        label={t('Keep a second batch in hand')}
        {...shownAs(
          inside(batch, 'inHand'),
          (inHand) => inHand === 2,
          (second) => (second ? 2 : 1),
        )}
      />
      <NetworkFields bound={settingOf(scenario, 'network')} />
      <h3>{t('Who works where')}</h3>
      {secret ? (
        <p className="form-about">{t('The policy is hidden. Guess it in the panel Decision, or reveal it there.')}</p>
      ) : (
        <>
          <SelectField
            label={t('Policy')}
            path="policy"
            value={policy.kind}
            options={policyOptions(policy)}
            change={(before, kind) => withChosenPolicy(session, before, kind)}
          />
          <PolicyParams scenario={scenario} />
        </>
      )}
      <SelectField label={t('Estimate')} {...shownAs(estimator, kindOf, (kind) => estimatorOf(kind, scenario.estimator.prior))} options={estimators()} />
      <Params params={estimatorParams()[scenario.estimator.kind]} of={estimator} />
      <SelectField label={t('Unmeasured')} {...inside(estimator, 'prior')} options={priors()} />
      <h3>{t('Workers come and go')}</h3>
      <WorkerEvents scenario={scenario} />
    </section>
  )
}

const batchKind = ({ adaptive }: Batch) => (adaptive ? 'adaptive' : 'fixed')

function batchOf(kind: 'fixed' | 'adaptive', { size = 1, inHand }: Batch): Batch {
  return kind === 'adaptive' ? { adaptive: true, inHand } : { size, inHand }
}

function estimatorOf(kind: Estimator['kind'], prior: Prior): Estimator {
  if (kind === 'mean') return { kind, prior }
  return kind === 'window' ? { kind, n: 50, prior } : { kind, alpha: 0.2, prior }
}
