import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import type { Decision } from '../../../measures/decisions/decision.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { ruleName } from '../../base/ui/ruleName.ts'
import { StageTable } from '../../base/ui/StageTable.tsx'
import { VerdictParliaments } from './VerdictParliaments.tsx'

interface Shown {
  readonly scenario: Scenario
  readonly decision: Decision
}

/** The seats that other rules give for the same votes. Those that differ stand out. */
export function OtherRules({ scenario, decision }: Shown) {
  const { policy, stages, others } = decision
  if (others.length === 0) return null
  const line = stageNumbers(scenario)
  const own = scenario.policy.kind === 'power' ? ruleName({ rule: 'power', power: scenario.policy.p }) : policies[policy].name()
  const verdicts = [{ name: own, seats: stages.map(({ seatsAfter }) => seatsAfter) }, ...others.map((other) => ({ name: ruleName(other), seats: other.seats }))]
  return (
    <section>
      <h3>{t('Other rules on these votes')}</h3>
      <VerdictParliaments scenario={scenario} decision={decision} verdicts={verdicts} />
      <StageTable label={t('Other rules on these votes')} scenario={scenario} head={t('Rule')} className="others">
        <tr>
          <th scope="row">{own}</th>
          {line.map((s) => (
            <td key={s}>{stages[s].seatsAfter}</td>
          ))}
        </tr>
        {others.map((other) => (
          <tr key={ruleName(other)} className={other.agrees ? 'agrees' : undefined}>
            <th scope="row">{ruleName(other)}</th>
            {line.map((s) => (
              <td key={s} className={other.seats[s] === stages[s].seatsAfter ? undefined : 'differs'}>
                {other.seats[s]}
              </td>
            ))}
          </tr>
        ))}
      </StageTable>
    </section>
  )
}

/** The share of each stage in the votes. */
export function VoteShares({ scenario, decision: { stages } }: Shown) {
  const total = stages.reduce((sum, { work }) => sum + work, 0)
  if (total === 0) return null
  const line = stageNumbers(scenario)
  return (
    <section>
      <h3>{t('Ballot')}</h3>
      <div
        className="ballot"
        role="img"
        aria-label={line.map((s) => `${isolated(scenario.stages[s].name)} ${Math.round((100 * stages[s].work) / total)}%`).join(', ')}
      >
        {line.map((s) => (
          <span key={s} style={{ flexGrow: stages[s].work, background: stageColour(currentPalette(), s).fill }} />
        ))}
      </div>
    </section>
  )
}
