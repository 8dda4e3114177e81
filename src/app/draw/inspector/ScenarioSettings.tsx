import { useStore } from 'zustand'
import { say } from '../../../language/say.ts'
import { lineOrder, setOptions, setPolicy, setSeed, setWorkers } from '../../../scenario/edit/edits.ts'
import { isElastic, isPinned } from '../../../scenario/model/defaults.ts'
import { MAX_POWER, MAX_SEED, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Batch, Estimator, Policy, PolicyKind, Prior, Scenario } from '../../../scenario/model/scenario.ts'
import { policies, policyGroups } from '../../../scheduler/policies.ts'
import { CheckField, DurationField, NumberField, type Option, SelectField, TextField } from '../../base/forms/fields.tsx'
import { IconButton } from '../../base/forms/IconButton.tsx'
import { edit, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import './inspector.css'
import { PoolParams } from './PoolParams.tsx'
import { WorkerEvents } from './WorkerEvents.tsx'

const kinds = () => policyGroups.flatMap(({ title, kinds }) => kinds.map((kind): Option<PolicyKind> => [kind, policies[kind].name(), title()]))
const estimators = (): readonly (readonly [Estimator['kind'], string])[] => [
  ['mean', say('Mean of all measured')],
  ['window', say('Mean of the latest')],
  ['ewma', say('Fading mean')],
]
const priors = (): readonly (readonly [Prior, string])[] => [
  ['neighbours', say('As its neighbours')],
  ['declared', say('As declared')],
  ['one', say('One microsecond')],
]
const batchKinds = () =>
  [
    ['fixed', say('Of one size')],
    ['adaptive', say('As the queue allows')],
  ] as const
const DICE = 'M3.5 3.5h9v9h-9zM6 6h.01M10 6h.01M8 8h.01M6 10h.01M10 10h.01'

/** What holds for the whole scenario. */
export function ScenarioSettings() {
  const scenario = useStore(scenarioStore, (state) => state.drawing)
  const { batch, switchCost, groupSwitchCost, estimator } = scenario
  return (
    <section className="form" aria-label={say('Scenario')}>
      <TextField label={say('Title')} path="title" value={scenario.title} change={(before, title) => setOptions(before, { title })} />
      <NumberField
        label={say('Seed')}
        hint={say('Same seed, same luck')}
        path="seed"
        value={scenario.seed}
        change={setSeed}
        after={
          <IconButton label={say('Another seed')} path={DICE} onClick={() => edit((before) => setSeed(before, Math.floor(Math.random() * (MAX_SEED + 1))))} />
        }
      />
      <h3>{say('Workers')}</h3>
      <NumberField
        label={isElastic(scenario.policy) ? say('At most') : say('At the start')}
        {...(scenario.policy.kind === 'greenThreads' ? { hint: say('Green threads have a number of their own, below') } : {})}
        path="workers"
        value={scenario.workers}
        slider={{ least: 1, most: 64, whole: true }}
        change={setWorkers}
      />
      <NumberField
        label={say('Cores')}
        hint={say('At once, in the simulation')}
        path="cores"
        value={scenario.cores}
        slider={{ least: 1, most: 64, whole: true }}
        change={(before, cores) => setOptions(before, { cores })}
      />
      <DurationField
        label={say('Switch cost')}
        hint={say('Lost when a worker changes stage')}
        path="switchCost"
        value={switchCost}
        change={(before, cost) => setOptions(before, { switchCost: cost })}
      />
      {scenario.source.kind === 'groups' && (
        <DurationField
          label={say('Group switch cost')}
          hint={say('Lost when a worker changes group')}
          path="groupSwitchCost"
          value={groupSwitchCost}
          change={(before, cost) => setOptions(before, { groupSwitchCost: cost })}
        />
      )}
      <SelectField
        label={say('Batches')}
        path="batch"
        value={batch.adaptive ? 'adaptive' : 'fixed'}
        options={batchKinds()}
        change={(before, kind) => setOptions(before, { batch: batchOf(kind, before.batch) })}
      />
      {batch.size !== undefined && (
        <NumberField
          label={say('Batch')}
          unit={say('jobs')}
          path="batch.size"
          value={batch.size}
          slider={{ least: 1, most: 1000, whole: true }}
          change={(before, size) => setOptions(before, { batch: { size, inHand: before.batch.inHand } })}
        />
      )}
      <CheckField
        label={say('Keep a second batch in hand')}
        path="batch.inHand"
        value={batch.inHand === 2}
        change={(before, second) => setOptions(before, { batch: { ...before.batch, inHand: second ? 2 : 1 } })}
      />
      <h3>{say('Who works where')}</h3>
      <SelectField label={say('Rule')} path="policy" value={scenario.policy.kind} options={kinds()} change={setPolicy} />
      <PolicyParams scenario={scenario} />
      <SelectField
        label={say('Estimate')}
        path="estimator"
        value={estimator.kind}
        options={estimators()}
        change={(before, kind) => setOptions(before, { estimator: estimatorOf(kind, before.estimator.prior) })}
      />
      {estimator.kind === 'window' && (
        <NumberField
          label={say('Latest')}
          unit={say('jobs')}
          path="estimator.n"
          value={estimator.n}
          by={5}
          change={(before, n) => setOptions(before, { estimator: { ...estimator, n } })}
        />
      )}
      {estimator.kind === 'ewma' && (
        <NumberField
          label={say('Newest weighs')}
          path="estimator.alpha"
          value={estimator.alpha}
          by={0.05}
          slider={{ least: 0.01, most: 1 }}
          change={(before, alpha) => setOptions(before, { estimator: { ...estimator, alpha } })}
        />
      )}
      <SelectField
        label={say('Unmeasured')}
        path="estimator.prior"
        value={estimator.prior}
        options={priors()}
        change={(before, prior) => setOptions(before, { estimator: { ...before.estimator, prior } })}
      />
      <h3>{say('Workers come and go')}</h3>
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

function PolicyParams({ scenario }: { readonly scenario: Scenario }) {
  const { policy } = scenario
  const names = new Map(scenario.stages.map(({ id, name }) => [id, name]))
  if (policy.kind === 'fixed')
    return lineOrder(scenario).map((id) => (
      <NumberField
        key={id}
        label={names.get(id) ?? id}
        path={`policy.allocation.${id}`}
        value={policy.allocation[id] ?? 0}
        change={(before, seats) => setPolicy(before, withSeats(before.policy, id, seats))}
      />
    ))
  if (policy.kind === 'pid' || policy.kind === 'threshold') return <PoolParams policy={policy} />
  if (policy.kind === 'greenThreads')
    return (
      <NumberField
        label={say('Threads')}
        hint={say('On every stage; they share the cores evenly')}
        path="policy.perStage"
        value={policy.perStage}
        slider={{ least: 1, most: Math.floor(MAX_WORKERS / scenario.stages.length), whole: true }}
        change={(before, perStage) => (before.policy.kind === 'greenThreads' ? setPolicy(before, { ...before.policy, perStage }) : before)}
      />
    )
  if (isPinned(policy.kind)) return null
  return (
    <>
      {policy.kind === 'power' && (
        <NumberField
          label={say('Power')}
          hint={say('1: least total time; {MAX_POWER}: nearly Jefferson', { MAX_POWER })}
          path="policy.p"
          value={policy.p}
          slider={{ least: 1, most: MAX_POWER, whole: true }}
          change={(before, p) => (before.policy.kind === 'power' ? setPolicy(before, { ...before.policy, p }) : before)}
        />
      )}
      <CheckField
        label={say('Lend idle hands below their share')}
        path="policy.lend"
        value={policy.lend}
        change={(before, lend) => setPolicy(before, { ...before.policy, lend })}
      />
    </>
  )
}

function withSeats(policy: Policy, id: string, seats: number): Policy {
  return policy.kind === 'fixed' ? { ...policy, allocation: { ...policy.allocation, [id]: seats } } : policy
}
