import { t } from '../../../language/translate.ts'
import type { Decision } from '../../../measures/decisions/decision.ts'
import type { Cost } from '../../../measures/figures/costs.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { scaleFor } from '../../../views/drawing/scale.ts'
import { Swatch } from '../../base/ui/Swatch.tsx'

interface Props {
  readonly scenario: Scenario
  readonly decision: Decision
  /** By stage. */
  readonly costs: readonly Cost[]
}

/** The service times that the scheduler believed, that the scenario declares, and that the run measured. */
export function DecisionCosts({ scenario, decision: { stages }, costs }: Props) {
  const { text, unit } = scaleFor([...stages.map(({ mean }) => mean), ...costs.flatMap(({ declared, measured }) => [declared, measured])])
  return (
    <section>
      <h3>
        {t('A service, believed and true')} <span className="unit">{unit}</span>
      </h3>
      <table className="costs">
        <thead>
          <tr>
            <th scope="col">{t('Stage')}</th>
            <th scope="col">{t('believed')}</th>
            <th scope="col">{t('declared')}</th>
            <th scope="col" title={t('The mean of all services in the record, also of those to come after this decision')}>
              {t('whole run')}
            </th>
          </tr>
        </thead>
        <tbody>
          {stageNumbers(scenario).map((s) => {
            const { mean, measured } = stages[s]
            const { declared, changes, measured: whole, services } = costs[s]
            return (
              <tr key={scenario.stages[s].id}>
                <th scope="row" title={scenario.stages[s].name}>
                  <Swatch stage={s} /> <span dir="auto">{scenario.stages[s].name}</span>
                </th>
                <td
                  className={measured > 0 ? undefined : 'guess'}
                  title={measured > 0 ? t('{measured} measured by then', { measured: count(measured) }) : t('Not measured yet: what the estimator assumes')}
                >
                  {text(mean)}
                </td>
                <td title={changes ? t('At the start; the scenario has it change') : t('The mean that the scenario declares')}>
                  {text(declared)}
                  {changes && <span aria-hidden="true">*</span>}
                </td>
                <td title={t('{services} measured', { services: count(services) })}>{text(whole)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
