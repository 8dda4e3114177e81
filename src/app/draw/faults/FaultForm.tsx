import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Choice, Field, messageAttributes, WordInput } from '../../base/forms/fields.tsx'
import { scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { usePlace } from './FaultMenu.tsx'
import { type DraftField, type DraftProblems, type FaultDraft, faultDraftOf, fieldProblems, readFaultDraft, rulesOf } from './faultDraft.ts'
import { faultWords, workerEventNames } from './faultWords.ts'
import type { JobClock } from './jobClock.ts'
import { faultByKey, putFault, removeFault } from './putFault.ts'

const kindOptions = () => [...Object.entries(workerEventNames()), ['change', t('A stage gets slower')] as const, ['phase', t('A policy takes over')] as const]

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
      className="fault-form"
      style={style}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') close(name)
      }}
    >
      <form className="form" role="dialog" aria-label={faultWords(draft, old)} onSubmit={set}>
        <Choice
          label={t('What')}
          ref={first}
          value={fields.what}
          options={kindOptions()}
          message={problems.what}
          choose={(what) => change({ what } as Partial<FaultDraft>)}
        />
        {fields.what === 'change' ? (
          <>
            <Choice label={t('Stage')} value={fields.stage} options={stagesOf(draft)} choose={(stage) => change({ stage })} />
            {word('from', t('From job'))}
            {word('factor', t('Slower'), 'times')}
          </>
        ) : (
          <>
            {word('at', fields.what === 'phase' ? t('From') : t('At'))}
            {fields.what === 'phase' && (
              <Choice label={t('Policy')} value={fields.rule} options={rulesOf(draft, old)} message={problems.rule} choose={(rule) => change({ rule })} />
            )}
            {fields.what !== 'join' && fields.what !== 'phase' && word('worker', t('Worker'))}
          </>
        )}
        <div className="fault-form-ends">
          {old.kind === 'change' && (
            <Button
              className="link"
              onClick={() => {
                select(session, old.stage)
                close()
              }}
              text={t('Its service time')}
            />
          )}
          <Button
            className="button small"
            onClick={() => {
              removeFault(session, name)
              close(null)
            }}
            text={t('Remove')}
          />
          <Button type="submit" className="button small" text={t('Set')} />
        </div>
      </form>
    </div>
  )
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
      <WordInput {...messageAttributes(id, problem)} unit={unit} value={value} onChange={(event) => onChange(event.target.value)} />
    </Field>
  )
}
