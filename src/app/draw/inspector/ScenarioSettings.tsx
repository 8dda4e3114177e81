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
import { meanings } from '../../../scenario/text/meanings.ts'
import { Button } from '../../base/controls/Button.tsx'
import { methodOptions, policyOptions } from '../../base/controls/Select.tsx'
import { type Bound, inside, itemOf, kindOf, settingOf, shownAs, withoutItem } from '../../base/forms/bound.ts'
import { CheckField, DurationField, NumberField, SelectField, TextField } from '../../base/forms/fields.tsx'
import { IconButton, RemoveButton } from '../../base/forms/IconButton.tsx'
import { upTo } from '../../base/forms/Slider.tsx'
import { editOrShowProblems, scenarioStore, withChosenPolicy } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { countedFromOne, workerEventWords } from '../faults/faultWords.ts'
import { Optional } from './Optional.tsx'
import { PolicyParams } from './PolicyParams.tsx'
import './lists.css'

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
        {...settingOf(scenario, 'seed')}
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
        <NumberField label={t('Cores')} hint={meanings().cores} {...settingOf(scenario, 'cores')} slider={upTo(64)} />
      )}
      <DurationField label={t('Switch cost')} {...settingOf(scenario, 'switchCost')} />
      {scenario.source.kind === 'groups' && (
        <DurationField label={t('Group switch cost')} {...settingOf(scenario, 'groupSwitchCost')} />
      )}
      <SelectField
        label={t('Batches')}
        {...shownAs(
          batch,
          ({ adaptive }) => (adaptive ? 'adaptive' : 'fixed'),
          (kind): Batch => {
            const { size = 1, inHand } = batch.value
            return kind === 'adaptive' ? { adaptive: true, inHand } : { size, inHand }
          },
        )}
        options={[
          ['fixed', t('Of one size')],
          ['adaptive', t('As the queue allows')],
        ]}
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
        {...shownAs(
          inside(batch, 'inHand'),
          (inHand) => inHand === 2,
          (second) => (second ? 2 : 1),
        )}
      />
      <Optional
        label={t('Workers are far away (simulation)')}
        of={settingOf(scenario, 'network')}
        start={GOOD_WIRELESS}
        none={null}
      >
        {(bound) => (
          <>
            <DurationField label={t('Round trip')} {...inside(bound, 'roundTrip')} />
            <NumberField label={t('Lost messages')} {...inside(bound, 'loss')} slider={{ min: 0, max: 0.5 }} />
          </>
        )}
      </Optional>
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
        options={[
          ['mean', t('Mean of all')],
          ['window', t('Mean of the latest')],
          ['ewma', t('Fading mean')],
        ]}
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
      <SelectField
        label={t('Unmeasured')}
        {...inside(estimator, 'prior')}
        options={[
          ['neighbours', t('As its neighbours')],
          ['declared', t('As declared')],
          ['one', t('One microsecond')],
        ]}
      />
      <h3>{t('Workers come and go')}</h3>
      <WorkerEvents scenario={scenario} />
    </section>
  )
}

const GOOD_WIRELESS: Network = { roundTrip: 5000, loss: 0 }

function estimatorOf(kind: Estimator['kind'], prior: Prior): Estimator {
  if (kind === 'mean') return { kind, prior }
  return kind === 'window' ? { kind, n: 50, prior } : { kind, alpha: 0.2, prior }
}

const oneBased = (index: number) => index + 1

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
        const item = itemOf(bound, i)
        const worker = shownAs(inside(item, 'worker'), oneBased, (number) => number - 1)
        return (
          // Events have no id, only a place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <fieldset className="form-event" key={i} aria-label={t('Event {i}', { i: i + 1 })}>
            <DurationField label={t('At')} {...inside(item, 'at')} />
            {event.kind === 'join' ? (
              <p className="form-event-who">{t('Worker {worker}', { worker: worker.value })}</p>
            ) : (
              <NumberField label={t('Worker')} {...worker} reword={countedFromOne} />
            )}
            <SelectField
              label={t('What')}
              {...inside(item, 'kind')}
              options={kinds}
              change={(before, next) =>
                item.change(before, { ...event, kind: next, worker: event.kind === 'join' ? 0 : event.worker })
              }
            />
            <RemoveButton label={t('Remove')} onClick={() => editOrShowProblems(session, withoutItem(bound, i))} />
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
