import { Fragment } from 'react'
import { t } from '../../../language/translate.ts'
import { linearOrder, setPolicy } from '../../../scenario/edit/edits.ts'
import { isPinned } from '../../../scenario/model/defaults.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { paramsOf } from '../../../scenario/model/policies.ts'
import type { NumberParam, PolicyParam } from '../../../scenario/model/policyDescription.ts'
import type { Policy, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { CheckField, DurationField, NumberField, OptionalField } from '../../base/forms/fields.tsx'

/** The parameters of the policy, and whether it lends. */
export function PolicyParams({ scenario }: { readonly scenario: Scenario }) {
  const { policy } = scenario
  return (
    <>
      {inFormOrder(policy.kind).map(([key, param]) => (
        <Fragment key={key}>
          <ParamField scenario={scenario} name={key} param={param} />
          {key === 'kd' && (
            <button type="button" className="link form-to" onClick={() => document.getElementById('tab-decision')?.click()}>
              {t('Search gains by the simulation')}
            </button>
          )}
        </Fragment>
      ))}
      {!isPinned(policy.kind) && (
        <CheckField
          label={t('Lend idle hands below their share')}
          path="policy.lend"
          value={policy.lend}
          change={(before, lend) => setPolicy(before, { ...before.policy, lend })}
        />
      )}
    </>
  )
}

/** Returns the parameters of a policy. Those of all elastic pools come last. */
function inFormOrder(kind: PolicyKind) {
  const place = (key: string) => ['every', 'max'].indexOf(key)
  return [...paramsOf(kind)].sort(([a], [b]) => place(a) - place(b))
}

interface ParamProps<P> {
  readonly scenario: Scenario
  readonly name: string
  readonly param: P
}

function ParamField({ scenario, name, param }: ParamProps<PolicyParam>) {
  // Only games set the seats of single decisions.
  if (param.is === 'allocations') return null
  return param.is === 'allocation' ? <AllocationFields scenario={scenario} /> : <NumberParamField scenario={scenario} name={name} param={param} />
}

function NumberParamField({ scenario: { policy, stages }, name, param }: ParamProps<NumberParam>) {
  const { is, orNone, eachStage, label, hint, unit, by, slider } = param
  const value = (policy as unknown as Readonly<Record<string, number>>)[name]
  const field = {
    label: label(),
    hint: hint?.(),
    path: `policy.${name}`,
    change: (before: Scenario, to: number | null) =>
      before.policy.kind === policy.kind ? setPolicy(before, { ...before.policy, [name]: to } as Policy) : before,
  }
  if (orNone) return <OptionalField {...field} value={value} />
  if (is === 'micros') return <DurationField {...field} value={value} />
  const [least, most] = slider ?? []
  const greatest = most === 'workers' ? Math.floor(MAX_WORKERS / (eachStage ? stages.length : 1)) : most
  return (
    <NumberField
      {...field}
      value={value}
      unit={unit?.()}
      slider={least === undefined || greatest === undefined ? undefined : { least, most: greatest, whole: true }}
      {...(by !== undefined && { by })}
    />
  )
}

function AllocationFields({ scenario }: { readonly scenario: Scenario }) {
  const { policy, stages } = scenario
  if (policy.kind !== 'fixed') return null
  const names = new Map(stages.map(({ id, name }) => [id, name]))
  return linearOrder(scenario).map((id) => (
    <NumberField
      key={id}
      label={names.get(id) ?? id}
      path={`policy.allocation.${id}`}
      value={policy.allocation[id] ?? 0}
      change={(before, seats) => setPolicy(before, withSeats(before.policy, id, seats))}
    />
  ))
}

function withSeats(policy: Policy, id: string, seats: number): Policy {
  return policy.kind === 'fixed' ? { ...policy, allocation: { ...policy.allocation, [id]: seats } } : policy
}
