import { Select } from '../../../app/base/controls/Select.tsx'
import { t } from '../../../language/translate.ts'
import { askable, policies } from '../../../scenario/model/policies.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'

interface Rule {
  readonly policy: PolicyKind
  /** The exponent of the policy `power`. */
  readonly power: number
}

/** The choice of a rule among those that need only votes. */
export function RuleFields({ policy, power, change }: Rule & { change(to: Partial<Rule>): void }) {
  return (
    <>
      <label className="field">
        <span>{t('Policy')}</span>
        <Select value={policy} options={askable.map((kind) => [kind, policies[kind].name()])} choose={(kind) => change({ policy: kind })} />
      </label>
      {policy === 'power' && (
        <label className="field">
          <span>{t('Power')}</span>
          <input type="number" min={1} max={policies.power.params.p.max} value={power} onChange={(event) => change({ power: event.target.valueAsNumber })} />
        </label>
      )}
    </>
  )
}
