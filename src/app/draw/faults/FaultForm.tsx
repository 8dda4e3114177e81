import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import type { Fault } from '../../../scenario/edit/faults.ts'
import { policies, policyGroups } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { canFollow } from '../../../scenario/model/schedule.ts'
import { Field, noted } from '../../base/forms/fields.tsx'
import { scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { type DraftField, type DraftProblems, type FaultDraft, faultDraftOf, fieldProblems, readFaultDraft } from './faultDraft.ts'
import { deeds, faultWords } from './faultWords.ts'
import type { JobClock } from './jobClock.ts'
import { faultByKey, putFault, takeOut } from './putFault.ts'
import { usePlace } from './usePlace.ts'

const whats = () => [...Object.entries(deeds()), ['change', t('A stage gets slower')] as const, ['turn', t('A rule takes over')] as const]

interface Props {
  /** The key of the fault. */
  readonly name: string
  readonly clock: JobClock
  /** The place of its mark. */
  readonly at: DOMRect | null
  /** Closes the form, with the key of the mark to focus; null: it is gone. */
  readonly close: (key?: string | null) => void
}

/** The form of a fault. The scenario changes when the person presses Set. */
export function FaultForm({ name, clock, at, close }: Props) {
  const session = useSession()
  const { draft } = scenarioStore(session).getState()
  const old = faultByKey(draft, name)
  const [fields, setFields] = useState<FaultDraft | null>(() => (old === undefined ? null : faultDraftOf(draft, old, clock)))
  const [problems, setProblems] = useState<DraftProblems>({})
  const { root, style } = usePlace(at?.left ?? innerWidth / 2, at?.top ?? innerHeight / 2, 300, () => close())
  const first = useRef<HTMLSelectElement>(null)
  useEffect(() => first.current?.focus(), [])
  if (old === undefined || fields === null) return null
  const change = (patch: Partial<FaultDraft>) => {
    setFields({ ...fields, ...patch })
    setProblems({})
  }
  const set = (event: FormEvent) => {
    event.preventDefault()
    const read = readFaultDraft(draft, fields, old)
    if ('problems' in read) return setProblems(read.problems)
    const done = putFault(session, read.fault, name)
    if ('problems' in done) setProblems(fieldProblems(done.problems))
    else close(done.key)
  }
  const word = (field: DraftField, label: string, unit?: string) => (
    <Word label={label} value={fields[field]} problem={problems[field] ?? null} unit={unit} onChange={(text) => change({ [field]: text })} />
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
      <form className="form" role="dialog" aria-label={faultWords(draft, old)} onSubmit={set}>
        <Choice
          label={t('What')}
          refer={first}
          value={fields.what}
          options={whats()}
          problem={problems.what ?? null}
          onChange={(what) => change({ what } as Partial<FaultDraft>)}
        />
        {fields.what === 'change' ? (
          <>
            <Choice label={t('Stage')} value={fields.stage} options={stagesOf(draft)} problem={null} onChange={(stage) => change({ stage })} />
            {word('from', t('From job'))}
            {word('factor', t('Slower'), 'times')}
          </>
        ) : (
          <>
            {word('at', fields.what === 'turn' ? t('From') : t('At'))}
            {fields.what === 'turn' && (
              <Choice
                label={t('Rule')}
                value={fields.rule}
                options={rulesOf(draft, old)}
                problem={problems.rule ?? null}
                onChange={(rule) => change({ rule })}
              />
            )}
            {fields.what !== 'join' && fields.what !== 'turn' && word('worker', t('Worker'))}
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

/** Returns the policies that may replace the first one. A phase that changes something else may keep the policy. */
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
  readonly problem: string | null
  readonly unit?: string | undefined
  readonly onChange: (text: string) => void
}

function Word({ label, value, problem, unit, onChange }: WordProps) {
  const id = useId()
  return (
    <Field id={id} label={label} message={problem}>
      <input
        {...noted(id, problem)}
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

function Choice({ label, value, options, problem, onChange, refer }: ChoiceProps): ReactNode {
  const id = useId()
  return (
    <Field id={id} label={label} message={problem}>
      <select ref={refer} {...noted(id, problem)} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  )
}
