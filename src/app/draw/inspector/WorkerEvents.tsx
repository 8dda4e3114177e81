import { t } from '../../../language/translate.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import { newWorkerEvent, numberedEvents, withFault } from '../../../scenario/edit/faults.ts'
import type { Scenario, WorkerEvent } from '../../../scenario/model/scenario.ts'
import { Button } from '../../base/controls/Button.tsx'
import { type Bound, inside, itemOf, shownAs, withoutItem } from '../../base/forms/bound.ts'
import { DurationField, NumberField, SelectField } from '../../base/forms/fields.tsx'
import { RemoveButton } from '../../base/forms/IconButton.tsx'
import { editOrShowProblems } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { countedFromOne, workerEventNames } from '../faults/faultWords.ts'
import './lists.css'
import { firstEditableTime } from './firstEditable.ts'

const kinds = () => Object.entries(workerEventNames()) as [WorkerEvent['kind'], string][]

/** The form of worker events. Workers count from 1, as on the screen. */
export function WorkerEvents({ scenario }: { readonly scenario: Scenario }) {
  const session = useSession()
  const { workerEvents } = scenario
  const bound: Bound<readonly WorkerEvent[]> = { path: 'workerEvents', value: workerEvents, change: withEvents }
  const last = workerEvents.at(-1)?.at ?? 0
  const withJoiner = (before: Scenario) => withFault(before, newWorkerEvent(before, 'join', Math.max(last + 500_000, firstEditableTime(session)))).scenario
  return (
    <>
      {workerEvents.map((event, i) => {
        const own = itemOf(bound, i)
        const worker = shownAs(
          inside(own, 'worker'),
          (number) => number + 1,
          (number) => number - 1,
        )
        return (
          // Events have no other name than their place.
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
              options={kinds()}
              change={(before, next) => own.change(before, { ...event, kind: next, worker: event.kind === 'join' ? 0 : event.worker })}
            />
            <RemoveButton label={t('Remove event {i}', { i: i + 1 })} onClick={() => editOrShowProblems(session, withoutItem(bound, i))} />
          </fieldset>
        )
      })}
      <Button className="form-add" onClick={() => editOrShowProblems(session, withJoiner)} text={t('Add an event')} />
    </>
  )
}

/** Returns the scenario with other events. They are not sorted while a person types; `parse` checks their order. */
function withEvents(scenario: Scenario, events: readonly WorkerEvent[]): Scenario {
  return setOptions(scenario, { workerEvents: numberedEvents(scenario, events) })
}
