import type { ReactNode } from 'react'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { Swatch } from '../ui/Swatch.tsx'
import { WideTable } from './WideTable.tsx'

interface Props {
  /** What the table shows, for screen readers. */
  readonly label: string
  readonly scenario: Scenario
  /** The heading of the first column. */
  readonly head: ReactNode
  readonly className: 'rounds' | 'others'
  /** The rows. */
  readonly children: ReactNode
}

/** A table with a column for each stage, in the order of the pipeline and in its colour. */
export function StageTable({ label, scenario, head, className, children }: Props) {
  return (
    <WideTable label={label}>
      <table className={className}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {stageNumbers(scenario).map((s) => (
              <th scope="col" key={s} title={scenario.stages[s].name}>
                <Swatch stage={s} />
                <span className="unseen">{scenario.stages[s].name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </WideTable>
  )
}
