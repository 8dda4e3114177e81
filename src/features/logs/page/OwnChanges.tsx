import { useState } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select } from '../../../app/base/controls/Select.tsx'
import { t } from '../../../language/translate.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { type Change, MAX_TOGETHER, sharingPolicies } from '../fit/changes.ts'
import { changesName } from './fitWords.ts'

/** By kind of change: its name, and the label, start and bounds of its number. */
const kinds = {
  workers: { name: () => t('more or fewer workers'), label: () => t('How many more'), start: 1, min: -1000, max: 1000 },
  quicker: { name: () => t('a quicker stage'), label: () => t('Percent quicker'), start: 20, min: -500, max: 99 },
  capacity: { name: () => t('a limit of the queue'), label: () => t('At most waiting'), start: 100, min: 1, max: 1_000_000 },
} as const
type NumberKind = keyof typeof kinds

interface Props {
  readonly scenario: Scenario
  readonly changes: readonly Change[]
  choose(changes: readonly Change[]): void
}

/** A form for up to six changes that are tried together. */
export function OwnChanges({ scenario, changes, choose }: Props) {
  const [kind, setKind] = useState<NumberKind | 'policy'>('workers')
  const [stage, setStage] = useState(0)
  const [policy, setPolicy] = useState<PolicyKind>('leastScore')
  const [amount, setAmount] = useState<number>(kinds.workers.start)
  const isValid = kind === 'policy' || (Number.isInteger(amount) && amount !== 0 && amount >= kinds[kind].min && amount <= kinds[kind].max)
  const add = () => {
    const change = changeOf(kind, stage, amount, policy)
    // A stage has one change of a kind, and there is one policy.
    const others = changes.filter((each) => each.kind !== kind || ('stage' in each && 'stage' in change && each.stage !== change.stage))
    choose([...others, change])
  }
  return (
    <fieldset className="fit-own">
      <legend>{t('Your changes, tried together')}</legend>
      <div className="field-row">
        <label className="field">
          <span>{t('What changes')}</span>
          <Select
            value={kind}
            options={[...numberKinds.map((each) => [each, kinds[each].name()] as const), ['policy', t('the policy')] as const]}
            choose={(chosen) => {
              setKind(chosen)
              if (chosen !== 'policy') setAmount(kinds[chosen].start)
            }}
          />
        </label>
        {kind === 'policy' ? (
          <label className="field">
            <span>{t('Policy')}</span>
            <Select value={policy} options={sharingPolicies().map((each) => [each, policies[each].name()] as const)} choose={setPolicy} />
          </label>
        ) : (
          <>
            <label className="field">
              <span>{t('Where')}</span>
              <Select value={stage} options={scenario.stages.map(({ name }, s) => [s, name] as const)} choose={setStage} />
            </label>
            <label className="field">
              <span>{kinds[kind].label()}</span>
              <input
                type="number"
                min={kinds[kind].min}
                max={kinds[kind].max}
                value={Number.isNaN(amount) ? '' : amount}
                onChange={({ target }) => setAmount(target.valueAsNumber)}
              />
            </label>
          </>
        )}
        <Button onClick={add} disabled={!isValid || changes.length >= MAX_TOGETHER} text={t('Add the change')} />
      </div>
      {changes.length > 0 && (
        <ul className="fit-list">
          {changes.map((change) => {
            const name = changesName([change], scenario)
            return (
              <li key={name}>
                {name}{' '}
                <Button
                  className="link"
                  onClick={() => choose(changes.filter((each) => each !== change))}
                  aria-label={t('Remove {name}', { name })}
                  text={t('Remove')}
                />
              </li>
            )
          })}
        </ul>
      )}
    </fieldset>
  )
}

const numberKinds = Object.keys(kinds) as NumberKind[]

function changeOf(kind: NumberKind | 'policy', stage: number, amount: number, policy: PolicyKind): Change {
  if (kind === 'policy') return { kind, policy }
  if (kind === 'workers') return { kind, stage, more: amount }
  return kind === 'capacity' ? { kind, stage, capacity: amount } : { kind, stage, share: 1 - amount / 100 }
}
