import { say } from '../../../language/say.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { PidPolicy, Policy, Scenario, ThresholdPolicy } from '../../../scenario/model/scenario.ts'
import { DurationField, NumberField, OptionalField } from '../../base/forms/fields.tsx'

/** What a controller of elastic pools goes by. */
export function PoolParams({ policy }: { readonly policy: Policy & (PidPolicy | ThresholdPolicy) }) {
  const most = (
    <OptionalField
      label={say('Most in a pool')}
      hint={say('Empty: as many as there may be workers')}
      path="policy.max"
      value={policy.max}
      change={(before, max) => withParams(before, { max })}
    />
  )
  const every = (
    <DurationField label={say('Period')} path="policy.every" value={policy.every} change={(before, period) => withParams(before, { every: period })} />
  )
  if (policy.kind === 'threshold')
    return (
      <>
        <NumberField
          label={say('Hire above')}
          unit={say('waiting')}
          path="policy.high"
          value={policy.high}
          slider={{ least: 0, most: 200, whole: true }}
          change={(before, high) => withParams(before, { high })}
        />
        <DurationField
          label={say('Dismiss after')}
          hint={say('Idle for so long')}
          path="policy.idle"
          value={policy.idle}
          change={(before, idle) => withParams(before, { idle })}
        />
        {every}
        {most}
      </>
    )
  const number = (key: 'kp' | 'ki' | 'kd' | 'setpoint' | 'up' | 'down', label: string, by: number, hint?: string, unit?: string) => (
    <NumberField
      key={key}
      label={label}
      hint={hint}
      {...(unit !== undefined && { unit })}
      path={`policy.${key}`}
      value={policy[key]}
      by={by}
      change={(before, value) => withParams(before, { [key]: value })}
    />
  )
  return (
    <>
      {number('kp', say('Proportional'), 0.1)}
      {number('ki', say('Integral'), 0.01)}
      {number('kd', say('Derivative'), 0.01)}
      <button type="button" className="link form-to" onClick={() => document.getElementById('tab-decision')?.click()}>
        {say('Search gains by the simulation')}
      </button>
      {number('setpoint', say('Queue aimed at'), 1, undefined, 'jobs')}
      {number('up', say('Hire at'), 5, say('Output at or below'))}
      {number('down', say('Dismiss at'), 5, say('Output at or above'))}
      <OptionalField
        label={say('Clamp integral')}
        hint={say('Empty: it winds up without bound')}
        path="policy.clamp"
        value={policy.clamp}
        change={(before, clamp) => withParams(before, { clamp })}
      />
      {every}
      {most}
    </>
  )
}

function withParams(scenario: Scenario, patch: Partial<Omit<PidPolicy, 'kind'>> | Partial<Omit<ThresholdPolicy, 'kind'>>): Scenario {
  return setPolicy(scenario, { ...scenario.policy, ...patch } as Policy)
}
