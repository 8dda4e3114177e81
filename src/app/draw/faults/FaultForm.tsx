import { type ComponentProps, type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { type Fault, newPhase, SLOWER, slowdownOf, slowerService } from '../../../scenario/edit/faults.ts'
import { isMethod, menuKinds, menuName } from '../../../scenario/model/methods.ts'
import { policies, policyGroups } from '../../../scenario/model/policies.ts'
import type { PolicyKind, Problem, Scenario, WorkerEvent } from '../../../scenario/model/scenario.ts'
import { canFollow } from '../../../scenario/model/schedule.ts'
import { allowedText, numberText } from '../../../scenario/model/words.ts'
import { wholeText } from '../../../scenario/parse/shape.ts'
import { Button } from '../../base/controls/Button.tsx'
import { methodOptions } from '../../base/controls/Select.tsx'
import { Choice, Field, messageAttributes, WordInput } from '../../base/forms/fields.tsx'
import { inTimes, plainNumber, type Read, readDuration, writeDuration } from '../../base/forms/typedText.ts'
import { scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { usePlace } from './FaultMenu.tsx'
import { factorText, faultTime, faultWords, workerEventWords } from './faultWords.ts'
import type { JobClock } from './jobClock.ts'
import { faultByKey, putFault, removeFault } from './putFault.ts'

const kindOptions = () => [
  ...Object.entries(workerEventWords()),
  ['change', t('A stage gets slower')] as const,
  ['phase', t('Another policy takes over')] as const,
]

interface Props {
  /** The key of the fault. */
  readonly name: string
  readonly clock: JobClock
  readonly at: DOMRect | null
  /** Closes the form, with the key of the mark to focus; null: the mark was removed. */
  readonly close: (key?: string | null) => void
}

/** The form of a fault whose mark is `at` a place. The scenario changes when the person presses Set. */
export function FaultForm({ name, clock, at, close }: Props) {
  const session = useSession()
  const { draft } = scenarioStore(session).getState()
  const old = faultByKey(draft, name)
  const [fields, setFields] = useState<FaultDraft | null>(() =>
    old === undefined ? null : faultDraftOf(draft, old, clock),
  )
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
    <Word
      label={label}
      value={fields[field]}
      problem={problems[field] ?? null}
      unit={unit}
      onChange={({ target }) => change({ [field]: target.value })}
    />
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape works in all fields inside
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
            <Choice
              label={t('Stage')}
              value={fields.stage}
              options={draft.stages.map(({ id, name }) => [id, name])}
              choose={(stage) => change({ stage })}
            />
            {word('from', t('From job'))}
            {word('factor', t('Slower'), 'times')}
          </>
        ) : (
          <>
            {word('at', fields.what === 'phase' ? t('From') : t('At'))}
            {fields.what === 'phase' && (
              <Choice
                label={t('Policy')}
                value={fields.rule}
                options={rulesOf(draft, old, fields.rule)}
                message={problems.rule}
                choose={(rule) => change({ rule })}
              />
            )}
            {fields.what === 'phase' && isMethod(fields.rule) && (
              <Choice
                label={t('Method')}
                value={fields.rule}
                options={methodOptions()}
                choose={(rule) => change({ rule })}
              />
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
              text={t('Service time')}
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

function Word({
  label,
  problem,
  ...input
}: ComponentProps<typeof WordInput> & { readonly label: string; readonly problem: string | null }) {
  const id = useId()
  return (
    <Field id={id} label={label} message={problem}>
      <WordInput {...messageAttributes(id, problem)} {...input} />
    </Field>
  )
}

/** A fault as typed in the form: workers from 1, times with units. */
interface FaultDraft {
  readonly what: WorkerEvent['kind'] | 'change' | 'phase'
  readonly at: string
  readonly worker: string
  readonly stage: string
  readonly from: string
  readonly factor: string
  /** The kind of a policy; empty: the policy stays. */
  readonly rule: string
}
type DraftField = keyof FaultDraft
type DraftProblems = Partial<Record<DraftField, string>>

/** Returns what the form shows first. Fields of the other kinds get about the same time. */
export function faultDraftOf(scenario: Scenario, fault: Fault, clock: JobClock): FaultDraft {
  const time = faultTime(fault, clock)
  const phase = fault.kind === 'phase' ? fault : newPhase(scenario, time)
  const [{ id: first }] = scenario.stages
  return {
    what: fault.kind,
    at: writeDuration(time),
    worker: String('worker' in fault ? fault.worker + 1 : scenario.workers),
    rule: phase?.values.policy?.kind ?? '',
    ...(fault.kind === 'change'
      ? { stage: fault.stage, from: String(fault.from), factor: factorText(slowdownOf(scenario, fault)) }
      : { stage: first, from: String(clock.jobAt(first, fault.at)), factor: `${SLOWER}` }),
  }
}

/** Returns the fault in a form, or the unreadable fields. `parse` checks the rest. `old` is the fault before. */
export function readFaultDraft(
  scenario: Scenario,
  draft: FaultDraft,
  old: Fault,
): { readonly fault: Fault } | { readonly problems: DraftProblems } {
  const problems: DraftProblems = {}
  /** Returns the value of a field; NaN, and a problem, if it cannot be read. */
  const readField = (field: DraftField, read: (text: string) => Read<number>): number => {
    const result = read(draft[field])
    if ('value' in result) return result.value
    problems[field] = result.message
    return Number.NaN
  }
  const readable = (fault: Fault) => (Object.keys(problems).length > 0 ? { problems } : { fault })
  if (draft.what === 'phase') {
    const at = readField('at', readDuration)
    const { policy, ...rest } = old.kind === 'phase' ? old.values : {}
    // A policy that stays keeps its settings.
    if (draft.rule === '') return readable({ kind: 'phase', at, values: rest })
    const rule = draft.rule === policy?.kind ? policy : setPolicy(scenario, draft.rule as PolicyKind).policy
    return readable({ kind: 'phase', at, values: { ...rest, policy: rule } })
  }
  if (draft.what !== 'change') {
    const at = readField('at', readDuration)
    return readable({ kind: draft.what, at, worker: draft.what === 'join' ? 0 : readField('worker', readWhole) - 1 })
  }
  const from = readField('from', readWhole)
  const factor = readField('factor', readFactor)
  const stage = scenario.stages.find(({ id }) => id === draft.stage)
  if (stage === undefined || Object.keys(problems).length > 0) return { problems }
  if (old.kind !== 'change' || old.stage !== stage.id) return { fault: slowerService(stage, from, factor) }
  // A pace that stays keeps the distribution.
  if (draft.factor === factorText(slowdownOf(scenario, old))) return { fault: { ...old, from } }
  const changes = stage.changes.filter((change) => change.from !== old.from)
  return { fault: slowerService({ ...stage, changes }, from, factor) }
}

/** Returns the policies that may replace the first one. A phase that changes something else may keep the policy. */
export function rulesOf({ policy }: Scenario, old: Fault, chosen: string): readonly (readonly [string, string])[] {
  const kinds = policyGroups.flatMap((group) => group.kinds).filter((kind) => canFollow(policy.kind, kind))
  const stays = old.kind === 'phase' && Object.keys(old.values).some((key) => key !== 'policy')
  return [
    ...(stays ? [['', t('As before')] as const] : []),
    ...menuKinds(kinds, chosen).map((kind) => [kind, menuName(kind, policies[kind].name())] as const),
  ]
}

/** Returns the problems of `parse` by the field they are about. */
export function fieldProblems(problems: readonly Problem[]): DraftProblems {
  const found: DraftProblems = {}
  for (const { path, message } of problems) {
    const key =
      path.match(/\.(at|worker|from)$/)?.[1] ??
      (/\.service\b/.test(path) ? 'factor' : /^later\[\d+\]/.test(path) ? 'rule' : 'what')
    found[key as DraftField] ??= inTimes(message)
  }
  return found
}

function readWhole(text: string): Read<number> {
  const plain = plainNumber(text)
  return /^\d{1,9}$/.test(plain) ? { value: Number(plain) } : { message: allowedText(wholeText(0, 999_999_999)) }
}

function readFactor(text: string): Read<number> {
  const value = Number(plainNumber(text))
  return value >= 0.001 && value <= 1e6 ? { value } : { message: allowedText(numberText(0.001, 1e6)) }
}
