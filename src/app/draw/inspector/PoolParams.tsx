import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { PidPolicy, Policy, Scenario, ThresholdPolicy } from '../../../scenario/model/scenario.ts'
import { DurationField, NumberField, OptionalField } from '../../base/forms/fields.tsx'

/** What a controller of elastic pools goes by. */
export function PoolParams({ policy }: { readonly policy: Policy & (PidPolicy | ThresholdPolicy) }) {
  const most = (
    <OptionalField
      label={t('Most in a pool')}
      hint={t('Empty: as many as there may be workers')}
      path="policy.max"
      value={policy.max}
      change={(before, max) => withParams(before, { max })}
    />
  )
  const every = (
    <DurationField label={t('Period')} path="policy.every" value={policy.every} change={(before, period) => withParams(before, { every: period })} />
  )
  if (policy.kind === 'threshold')
    return (
      <>
        <NumberField
          label={t('Hire above')}
          unit={t('waiting')}
          path="policy.high"
          value={policy.high}
          slider={{ least: 0, most: 200, whole: true }}
          change={(before, high) => withParams(before, { high })}
        />
        <DurationField
          label={t('Dismiss after')}
          hint={t('Idle for so long')}
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
      {number('kp', t('Proportional'), 0.1)}
      {number('ki', t('Integral'), 0.01)}
      {number('kd', t('Derivative'), 0.01)}
      <button type="button" className="link form-to" onClick={() => document.getElementById('tab-decision')?.click()}>
        {t('Search gains by the simulation')}
      </button>
      {number('setpoint', t('Queue aimed at'), 1, undefined, 'jobs')}
      {number('up', t('Hire at'), 5, t('Output at or below'))}
      {number('down', t('Dismiss at'), 5, t('Output at or above'))}
      <OptionalField
        label={t('Clamp integral')}
        hint={t('Empty: it winds up without bound')}
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
