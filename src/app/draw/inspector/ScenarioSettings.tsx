import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { setOptions, setPolicy, setWorkers } from '../../../scenario/edit/edits.ts'
import { newWorkerEvent, numberedEvents, withFault } from '../../../scenario/edit/faults.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import { MAX_SEED } from '../../../scenario/model/limits.ts'
import { isMethod } from '../../../scenario/model/methods.ts'
import type {
  Batch,
  Estimator,
  Micros,
  Network,
  Prior,
  Scenario,
  WorkerEvent,
} from '../../../scenario/model/scenario.ts'
import { Button } from '../../base/controls/Button.tsx'
import { methodOptions, policyOptions, type SelectOption } from '../../base/controls/Select.tsx'
import { type Bound, inside, itemOf, kindOf, settingOf, shownAs, withoutItem } from '../../base/forms/bound.ts'
import { CheckField, DurationField, NumberField, SelectField, TextField } from '../../base/forms/fields.tsx'
import { IconButton, RemoveButton } from '../../base/forms/IconButton.tsx'
import { upTo } from '../../base/forms/Slider.tsx'
import { editOrShowProblems, scenarioStore, withChosenPolicy } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { countedFromOne, workerEventWords } from '../faults/faultWords.ts'
import { PolicyParams } from './PolicyParams.tsx'
import './lists.css'

const estimators = (): readonly SelectOption<Estimator['kind']>[] => [
  ['mean', t('Mean of all')],
  ['window', t('Mean of the latest')],
  ['ewma', t('Fading mean')],
]
const priors = (): readonly SelectOption<Prior>[] => [
  ['neighbours', t('As its neighbours')],
  ['declared', t('As declared')],
  ['one', t('One microsecond')],
]
const batchKinds = (): readonly SelectOption<'fixed' | 'adaptive'>[] => [
  ['fixed', t('Of one size')],
  ['adaptive', t('As the queue allows')],
]
const DICE_ICON = 'M3.5 3.5h9v9h-9zM6 6h.01M10 6h.01M8 8h.01M6 10h.01M10 10h.01'

export function ScenarioSettings() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.draft)
  const { policy } = scenario
  const batch = settingOf(scenario, 'batch')
  const estimator = settingOf(scenario, 'estimator')
  return (
    <section className="form" aria-label={t('Settings')}>
      <TextField label={t('Title')} {...settingOf(scenario, 'title')} />
      <NumberField
        label={t('Seed')}
        path="seed"
        value={scenario.seed}
        change={(before, seed) => setOptions(before, { seed })}
        after={
          <IconButton
            label={t('Another seed')}
            path={DICE_ICON}
            onClick={() =>
              editOrShowProblems(session, (before) =>
                setOptions(before, { seed: Math.floor(Math.random() * (MAX_SEED + 1)) }),
              )
            }
          />
        }
      />
      <h3>{t('Workers')}</h3>
      <NumberField
        label={isElastic(policy) ? t('At most') : t('At the start')}
        path="workers"
        value={scenario.workers}
        slider={upTo(64)}
        change={setWorkers}
      />
      {scenario.network === null && (
        <NumberField
          label={t('Cores')}
          hint={t('In the simulation')}
          {...settingOf(scenario, 'cores')}
          slider={upTo(64)}
        />
      )}
      <DurationField
        label={t('Switch cost')}
        hint={t('Lost when a worker changes stage')}
        {...settingOf(scenario, 'switchCost')}
      />
      {scenario.source.kind === 'groups' && (
        <DurationField label={t('Group switch cost')} {...settingOf(scenario, 'groupSwitchCost')} />
      )}
      <SelectField
        label={t('Batches')}
        {...shownAs(batch, batchKind, (kind) => batchOf(kind, scenario.batch))}
        options={batchKinds()}
      />
      {scenario.batch.size !== undefined && (
        <NumberField
          label={t('Batch')}
          unit={t('jobs')}
          {...inside({ ...batch, value: scenario.batch }, 'size')}
          slider={upTo(1000)}
        />
      )}
      <CheckField
        label={t('Keep a second batch in hand')}
        {...shownAs(inside(batch, 'inHand'), isTwo, (second) => (second ? 2 : 1))}
      />
      <NetworkFields bound={settingOf(scenario, 'network')} />
      <h3>{t('Who works where')}</h3>
      <SelectField
        label={t('Policy')}
        path="policy"
        value={policy.kind}
        options={policyOptions(policy)}
        change={(before, kind) => withChosenPolicy(session, before, kind)}
      />
      {isMethod(policy.kind) && (
        <SelectField
          label={t('Method')}
          path="policy"
          value={policy.kind}
          options={methodOptions()}
          change={setPolicy}
        />
      )}
      <PolicyParams scenario={scenario} />
      <SelectField
        label={t('Estimate')}
        {...shownAs(estimator, kindOf, (kind) => estimatorOf(kind, scenario.estimator.prior))}
        options={estimators()}
      />
      {scenario.estimator.kind === 'window' && (
        <NumberField
          label={t('Latest')}
          unit={t('jobs')}
          by={5}
          {...inside({ ...estimator, value: scenario.estimator }, 'n')}
        />
      )}
      {scenario.estimator.kind === 'ewma' && (
        <NumberField
          label={t('Newest weighs')}
          by={0.05}
          slider={{ min: 0.01, max: 1 }}
          {...inside({ ...estimator, value: scenario.estimator }, 'alpha')}
        />
      )}
      <SelectField label={t('Unmeasured')} {...inside(estimator, 'prior')} options={priors()} />
      <h3>{t('Workers come and go')}</h3>
      <WorkerEvents scenario={scenario} />
    </section>
  )
}

const batchKind = ({ adaptive }: Batch) => (adaptive ? 'adaptive' : 'fixed')
const batchOf = (kind: 'fixed' | 'adaptive', { size = 1, inHand }: Batch): Batch =>
  kind === 'adaptive' ? { adaptive: true, inHand } : { size, inHand }

function estimatorOf(kind: Estimator['kind'], prior: Prior): Estimator {
  if (kind === 'mean') return { kind, prior }
  return kind === 'window' ? { kind, n: 50, prior } : { kind, alpha: 0.2, prior }
}

const isSet = (value: unknown) => value !== null
const isTwo = (value: unknown) => value === 2
const oneBased = (index: number) => index + 1

/** The settings of a network when it is switched on: a good wireless network. */
const usual: Network = { roundTrip: 5000, loss: 0 }

function NetworkFields({ bound }: { readonly bound: Bound<Network | null> }) {
  const { value: network } = bound
  return (
    <>
      <CheckField
        label={t('Workers are far away (simulation)')}
        {...shownAs(bound, isSet, (on) => (on ? usual : null))}
      />
      {network !== null && (
        <>
          <DurationField label={t('Round trip')} {...inside({ ...bound, value: network }, 'roundTrip')} />
          <NumberField
            label={t('Lost messages')}
            {...inside({ ...bound, value: network }, 'loss')}
            slider={{ min: 0, max: 0.5 }}
          />
        </>
      )}
    </>
  )
}

/** The form of worker events. Workers count from 1, as on the screen. */
function WorkerEvents({ scenario }: { readonly scenario: Scenario }) {
  const session = useSession()
  const { workerEvents } = scenario
  // They are not sorted while a person types; `parse` checks their order.
  const change = (before: Scenario, events: readonly WorkerEvent[]) =>
    setOptions(before, { workerEvents: numberedEvents(before, events) })
  const bound: Bound<readonly WorkerEvent[]> = { path: 'workerEvents', value: workerEvents, change }
  const kinds = Object.entries(workerEventWords()) as [WorkerEvent['kind'], string][]
  const last = workerEvents.at(-1)?.at ?? 0
  const withJoiner = (before: Scenario) =>
    withFault(before, newWorkerEvent(before, 'join', Math.max(last + 500_000, firstEditableTime(session)))).scenario
  return (
    <>
      {workerEvents.map((event, i) => {
        const own = itemOf(bound, i)
        const worker = shownAs(inside(own, 'worker'), oneBased, (number) => number - 1)
        return (
          // Events have no id, only a place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <fieldset className="form-event" key={i} aria-label={t('Event {i}', { i: i + 1 })}>
            <DurationField label={t('At')} {...inside(own, 'at')} />
            {event.kind === 'join' ? (
              <p className="form-event-who">{t('Worker {worker}', { worker: worker.value })}</p>
            ) : (
              <NumberField label={t('Worker')} {...worker} reword={countedFromOne} />
            )}
            <SelectField
              label={t('What')}
              {...inside(own, 'kind')}
              options={kinds}
              change={(before, next) =>
                own.change(before, { ...event, kind: next, worker: event.kind === 'join' ? 0 : event.worker })
              }
            />
            <RemoveButton
              label={t('Remove event {i}', { i: i + 1 })}
              onClick={() => editOrShowProblems(session, withoutItem(bound, i))}
            />
          </fieldset>
        )
      })}
      <Button className="form-add" onClick={() => editOrShowProblems(session, withJoiner)} text={t('Add an event')} />
    </>
  )
}

/** Returns the time from which the draft can change: the start of its branch; 0 for the original. */
function firstEditableTime(session: Session): Micros {
  const { whole, shown } = scenarioStore(session).getState()
  return shown === null ? 0 : whole.branches[shown].at
}
