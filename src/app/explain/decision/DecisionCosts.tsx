import { t } from '../../../language/translate.ts'
import type { Cost } from '../../../measures/figures/serviceCosts.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { count } from '../../../views/drawing/format.ts'
import { scaleFor } from '../../../views/drawing/scale.ts'
import { Fold } from '../../base/controls/Fold.tsx'
import { StageHead, Table } from '../../base/ui/Table.tsx'
import type { DecisionProps } from './decisionProps.ts'

interface Props extends DecisionProps {
  /** By stage. */
  readonly costs: readonly Cost[]
}

/** Service times side by side: estimated by the scheduler, declared by the scenario, measured in the run. */
export function DecisionCosts({ scenario, decision: { stages }, costs }: Props) {
  const { text, unit } = scaleFor([...stages.map(({ mean }) => mean), ...costs.flatMap(({ declared, measured }) => [declared, measured])])
  return (
    <Fold
      id="costs"
      head={
        <h3>
          {t('Service time: estimated and actual')} <span className="unit">{unit}</span>
        </h3>
      }
    >
      <Table
        className="costs"
        heads={[
          t('Stage'),
          t('estimated'),
          t('declared'),
          { text: t('whole run'), about: t('The mean of all services in the record, also of those to come after this decision') },
        ]}
      >
        {stageNumbers(scenario).map((s) => {
          const { mean, measured } = stages[s]
          const { declared, changes, measured: whole, services } = costs[s]
          return (
            <tr key={scenario.stages[s].id}>
              <StageHead stage={s} name={scenario.stages[s].name} />
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
      </Table>
    </Fold>
  )
}
