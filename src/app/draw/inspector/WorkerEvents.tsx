import { t } from '../../../language/translate.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import { freshEvent, numberedEvents, withFault } from '../../../scenario/edit/faults.ts'
import type { Scenario, WorkerEvent } from '../../../scenario/model/scenario.ts'
import { DurationField, NumberField, SelectField } from '../../base/forms/fields.tsx'
import { IconButton } from '../../base/forms/IconButton.tsx'
import { editOrRefuse } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { countedFromOne, deeds } from '../faults/faultWords.ts'
import './lists.css'
import { changesFrom } from './underWay.ts'

const kinds = () => Object.entries(deeds()) as [WorkerEvent['kind'], string][]

/** The form of worker events. Workers count from 1, as on the screen. */
export function WorkerEvents({ scenario }: { readonly scenario: Scenario }) {
  const session = useSession()
  const { workerEvents } = scenario
  const put = (before: Scenario, i: number, patch: Partial<WorkerEvent>) =>
    withEvents(
      before,
      before.workerEvents.map((event, k) => (k === i ? { ...event, ...patch } : event)),
    )
  const last = workerEvents.at(-1)?.at ?? 0
  return (
    <>
      {workerEvents.map((event, i) => {
        const path = `workerEvents[${i}]`
        return (
          // Events have no other name than their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <fieldset className="form-event" key={i} aria-label={t('Event {i}', { i: i + 1 })}>
            <DurationField label={t('At')} path={`${path}.at`} value={event.at} change={(before, at) => put(before, i, { at })} />
            {event.kind === 'join' ? (
              <p className="form-event-who">{t('Worker {worker}', { worker: event.worker + 1 })}</p>
            ) : (
              <NumberField
                label={t('Worker')}
                path={`${path}.worker`}
                value={event.worker + 1}
                reword={countedFromOne}
                change={(before, worker) => put(before, i, { worker: worker - 1 })}
              />
            )}
            <SelectField
              label={t('What')}
              path={`${path}.kind`}
              value={event.kind}
              options={kinds()}
              change={(before, kind) => put(before, i, { kind, ...(event.kind === 'join' ? { worker: 0 } : {}) })}
            />
            <IconButton
              label={t('Remove event {i}', { i: i + 1 })}
              path="M4 4l8 8M12 4l-8 8"
              onClick={() =>
                editOrRefuse(session, (before) =>
                  withEvents(
                    before,
                    before.workerEvents.filter((_, k) => k !== i),
                  ),
                )
              }
            />
          </fieldset>
        )
      })}
      <button
        type="button"
        className="form-add"
        onClick={() =>
          editOrRefuse(session, (before) => withFault(before, freshEvent(before, 'join', Math.max(last + 500_000, changesFrom(session)))).scenario)
        }
      >
        {t('Add an event')}
      </button>
    </>
  )
}

/** Returns the scenario with other events. They are not sorted while a person types; `parse` checks their order. */
function withEvents(scenario: Scenario, events: readonly WorkerEvent[]): Scenario {
  return setOptions(scenario, { workerEvents: numberedEvents(scenario, events) })
}
