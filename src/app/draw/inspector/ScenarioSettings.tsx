import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy, setSeed, setWorkers } from '../../../scenario/edit/edits.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import { MAX_SEED } from '../../../scenario/model/limits.ts'
import { policies, policyGroups } from '../../../scenario/model/policies.ts'
import type { Batch, Estimator, PolicyKind, Prior } from '../../../scenario/model/scenario.ts'
import { CheckField, DurationField, NumberField, SelectField, type SelectOption, TextField } from '../../base/forms/fields.tsx'
import { IconButton } from '../../base/forms/IconButton.tsx'
import { editOrRefuse, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { PolicyParams } from './PolicyParams.tsx'
import { WorkerEvents } from './WorkerEvents.tsx'

const kinds = () => policyGroups.flatMap(({ title, kinds }) => kinds.map((kind): SelectOption<PolicyKind> => [kind, policies[kind].name(), title()]))
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
  const { batch, switchCost, groupSwitchCost, estimator } = scenario
  return (
    <section className="form" aria-label={t('Scenario')}>
      <TextField label={t('Title')} path="title" value={scenario.title} change={(before, title) => setOptions(before, { title })} />
      <NumberField
        label={t('Seed')}
        hint={t('Same seed, same luck')}
        path="seed"
        value={scenario.seed}
        change={setSeed}
        after={
          <IconButton
            label={t('Another seed')}
            path={DICE}
            onClick={() => editOrRefuse(session, (before) => setSeed(before, Math.floor(Math.random() * (MAX_SEED + 1))))}
          />
        }
      />
      <h3>{t('Workers')}</h3>
      <NumberField
        label={isElastic(scenario.policy) ? t('At most') : t('At the start')}
        {...(scenario.policy.kind === 'greenThreads' ? { hint: t('Green threads have a number of their own, below') } : {})}
        path="workers"
        value={scenario.workers}
        slider={{ least: 1, most: 64, whole: true }}
        change={setWorkers}
      />
      <NumberField
        label={t('Cores')}
        hint={t('At once, in the simulation')}
        path="cores"
        value={scenario.cores}
        slider={{ least: 1, most: 64, whole: true }}
        change={(before, cores) => setOptions(before, { cores })}
      />
      <DurationField
        label={t('Switch cost')}
        hint={t('Lost when a worker changes stage')}
        path="switchCost"
        value={switchCost}
        change={(before, cost) => setOptions(before, { switchCost: cost })}
      />
      {scenario.source.kind === 'groups' && (
        <DurationField
          label={t('Group switch cost')}
          hint={t('Lost when a worker changes group')}
          path="groupSwitchCost"
          value={groupSwitchCost}
          change={(before, cost) => setOptions(before, { groupSwitchCost: cost })}
        />
      )}
      <SelectField
        label={t('Batches')}
        path="batch"
        value={batch.adaptive ? 'adaptive' : 'fixed'}
        options={batchKinds()}
        change={(before, kind) => setOptions(before, { batch: batchOf(kind, before.batch) })}
      />
      {batch.size !== undefined && (
        <NumberField
          label={t('Batch')}
          unit={t('jobs')}
          path="batch.size"
          value={batch.size}
          slider={{ least: 1, most: 1000, whole: true }}
          change={(before, size) => setOptions(before, { batch: { size, inHand: before.batch.inHand } })}
        />
      )}
      <CheckField
        label={t('Keep a second batch in hand')}
        path="batch.inHand"
        value={batch.inHand === 2}
        change={(before, second) => setOptions(before, { batch: { ...before.batch, inHand: second ? 2 : 1 } })}
      />
      <h3>{t('Who works where')}</h3>
      <SelectField label={t('Rule')} path="policy" value={scenario.policy.kind} options={kinds()} change={setPolicy} />
      <PolicyParams scenario={scenario} />
      <SelectField
        label={t('Estimate')}
        path="estimator"
        value={estimator.kind}
        options={estimators()}
        change={(before, kind) => setOptions(before, { estimator: estimatorOf(kind, before.estimator.prior) })}
      />
      {estimator.kind === 'window' && (
        <NumberField
          label={t('Latest')}
          unit={t('jobs')}
          path="estimator.n"
          value={estimator.n}
          by={5}
          change={(before, n) => setOptions(before, { estimator: { ...estimator, n } })}
        />
      )}
      {estimator.kind === 'ewma' && (
        <NumberField
          label={t('Newest weighs')}
          path="estimator.alpha"
          value={estimator.alpha}
          by={0.05}
          slider={{ least: 0.01, most: 1 }}
          change={(before, alpha) => setOptions(before, { estimator: { ...estimator, alpha } })}
        />
      )}
      <SelectField
        label={t('Unmeasured')}
        path="estimator.prior"
        value={estimator.prior}
        options={priors()}
        change={(before, prior) => setOptions(before, { estimator: { ...before.estimator, prior } })}
      />
      <h3>{t('Workers come and go')}</h3>
      <WorkerEvents scenario={scenario} />
    </section>
  )
}

function batchOf(kind: 'fixed' | 'adaptive', { size = 1, inHand }: Batch): Batch {
  return kind === 'adaptive' ? { adaptive: true, inHand } : { size, inHand }
}

function estimatorOf(kind: Estimator['kind'], prior: Prior): Estimator {
  if (kind === 'mean') return { kind, prior }
  return kind === 'window' ? { kind, n: 50, prior } : { kind, alpha: 0.2, prior }
}
