import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import type { Fault } from '../../../scenario/edit/faults.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { canFollow } from '../../../scenario/model/schedule.ts'
import { policies, policyGroups } from '../../../scheduler/policies.ts'
import { Field, noted } from '../../base/forms/fields.tsx'
import { scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { type DraftFaults, type DraftField, type FaultDraft, faultDraftOf, faultsOf, readFaultDraft } from './faultDraft.ts'
import { deeds, faultWords } from './faultWords.ts'
import type { JobClock } from './jobClock.ts'
import { faultByKey, putFault, takeOut } from './putFault.ts'
import { usePlace } from './usePlace.ts'

const whats = () => [...Object.entries(deeds()), ['change', t('A stage gets slower')] as const, ['turn', t('A rule takes over')] as const]

interface Props {
  /** Of the sabotage that it is about. */
  readonly name: string
  readonly clock: JobClock
  /** Where its mark is. */
  readonly at: DOMRect | null
  /** Shuts it; with the name of what has the focus then, null: nothing of that name is left. */
  readonly close: (key?: string | null) => void
}

/** What befalls the run, in words and numbers. Nothing of it is in the scenario before it is set. */
export function FaultForm({ name, clock, at, close }: Props) {
  const session = useSession()
  const { drawing } = scenarioStore(session).getState()
  const old = faultByKey(drawing, name)
  const [draft, setDraft] = useState<FaultDraft | null>(() => (old === undefined ? null : faultDraftOf(drawing, old, clock)))
  const [faults, setFaults] = useState<DraftFaults>({})
  const { root, style } = usePlace(at?.left ?? innerWidth / 2, at?.top ?? innerHeight / 2, 300, () => close())
  const first = useRef<HTMLSelectElement>(null)
  useEffect(() => first.current?.focus(), [])
  if (old === undefined || draft === null) return null
  const change = (patch: Partial<FaultDraft>) => {
    setDraft({ ...draft, ...patch })
    setFaults({})
  }
  const set = (event: FormEvent) => {
    event.preventDefault()
    const read = readFaultDraft(drawing, draft, old)
    if ('faults' in read) return setFaults(read.faults)
    const done = putFault(session, read.fault, name)
    if ('problems' in done) setFaults(faultsOf(done.problems))
    else close(done.key)
  }
  const word = (field: DraftField, label: string, unit?: string) => (
    <Word label={label} value={draft[field]} fault={faults[field] ?? null} unit={unit} onChange={(text) => change({ [field]: text })} />
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape belongs to what is inside
    <div
      ref={root}
      className="sabotage-form"
      style={style}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') close(name)
      }}
    >
      <form className="form" role="dialog" aria-label={faultWords(drawing, old)} onSubmit={set}>
        <Choice
          label={t('What')}
          refer={first}
          value={draft.what}
          options={whats()}
          fault={faults.what ?? null}
          onChange={(what) => change({ what } as Partial<FaultDraft>)}
        />
        {draft.what === 'change' ? (
          <>
            <Choice label={t('Stage')} value={draft.stage} options={stagesOf(drawing)} fault={null} onChange={(stage) => change({ stage })} />
            {word('from', t('From job'))}
            {word('factor', t('Slower'), 'times')}
          </>
        ) : (
          <>
            {word('at', draft.what === 'turn' ? t('From') : t('At'))}
            {draft.what === 'turn' && (
              <Choice label={t('Rule')} value={draft.rule} options={rulesOf(drawing, old)} fault={faults.rule ?? null} onChange={(rule) => change({ rule })} />
            )}
            {draft.what !== 'join' && draft.what !== 'turn' && word('worker', t('Worker'))}
          </>
        )}
        <div className="sabotage-form-ends">
          {old.kind === 'change' && (
            <button
              type="button"
              className="link"
              onClick={() => {
                select(session, old.stage)
                close()
              }}
            >
              {t('Its service time')}
            </button>
          )}
          <button
            type="button"
            className="button small"
            onClick={() => {
              takeOut(session, name)
              close(null)
            }}
          >
            {t('Remove')}
          </button>
          <button type="submit" className="button small">
            {t('Set')}
          </button>
        </div>
      </form>
    </div>
  )
}

/** Those that can follow the rule of the start; of a turn that says something else too, none. */
function rulesOf({ policy }: Scenario, old: Fault): readonly (readonly [string, string])[] {
  const kinds = policyGroups.flatMap((group) => group.kinds).filter((kind) => canFollow(policy.kind, kind))
  const stays = old.kind === 'turn' && Object.keys(old.says).some((key) => key !== 'policy')
  return [...(stays ? [['', t('As before')] as const] : []), ...kinds.map((kind) => [kind, policies[kind].name()] as const)]
}

function stagesOf({ stages }: Scenario): readonly (readonly [string, string])[] {
  return stages.map(({ id, name }) => [id, name])
}

interface WordProps {
  readonly label: string
  readonly value: string
  readonly fault: string | null
  readonly unit?: string | undefined
  readonly onChange: (text: string) => void
}

function Word({ label, value, fault, unit, onChange }: WordProps) {
  const id = useId()
  return (
    <Field id={id} label={label} message={fault}>
      <input
        {...noted(id, fault)}
        type="text"
        inputMode="decimal"
        data-numeric="true"
        autoComplete="off"
        value={value}
        style={unit === undefined ? undefined : { paddingRight: `calc(${unit.length}ch + 14px)` }}
        onChange={(event) => onChange(event.target.value)}
      />
      {unit !== undefined && <span className="form-unit">{unit}</span>}
    </Field>
  )
}

interface ChoiceProps extends Omit<WordProps, 'unit'> {
  readonly options: readonly (readonly [string, string])[]
  readonly refer?: React.Ref<HTMLSelectElement>
}

function Choice({ label, value, options, fault, onChange, refer }: ChoiceProps): ReactNode {
  const id = useId()
  return (
    <Field id={id} label={label} message={fault}>
      <select ref={refer} {...noted(id, fault)} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  )
}
