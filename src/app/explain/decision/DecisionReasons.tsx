import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { kindName } from '../../../scenario/model/policies.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { Fold } from '../../base/controls/Fold.tsx'
import { currentPalette } from '../../base/page/theme.ts'
import { StageTable } from '../../base/ui/Table.tsx'
import { ruleName } from '../../base/ui/Translated.tsx'
import type { DecisionProps } from './decisionProps.ts'
import { VerdictParliaments } from './VerdictParliaments.tsx'

/** The seats that other rules give for what waits. Those that differ stand out. */
export function OtherRules({ scenario, decision }: DecisionProps) {
  const { policy, stages, others } = decision
  if (others.length === 0) return null
  const line = stageNumbers(scenario)
  const own = scenario.policy.kind === 'power' ? ruleName({ rule: 'power', power: scenario.policy.p }) : kindName(policy, scenario.policy)
  const given = { name: own, seats: stages.map(({ seatsAfter }) => seatsAfter), agrees: false }
  const verdicts = [given, ...others.map((other) => ({ ...other, name: ruleName(other) }))]
  const differ = others.filter(({ agrees }) => !agrees).length
  // The others do not see what a policy sees that looks ahead.
  const title = stages.some(({ work, waiting, mean, votes }) => votes !== work || work !== waiting * mean)
    ? t('Other policies, by what waits')
    : t('Other policies on these votes')
  const note = differ === 0 ? t('all {n} agree', { n: others.length }) : t('{differ} of {n} differ', { differ, n: others.length })
  return (
    <Fold id="others" head={<h3>{title}</h3>} note={note}>
      <VerdictParliaments scenario={scenario} decision={decision} verdicts={verdicts} />
      <StageTable label={title} scenario={scenario} head={t('Policy')} className="others">
        {verdicts.map(({ name, seats, agrees }) => (
          <tr key={name} className={agrees ? 'agrees' : undefined}>
            <th scope="row">{name}</th>
            {line.map((s) => (
              <td key={s} className={seats[s] === stages[s].seatsAfter ? undefined : 'differs'}>
                {seats[s]}
              </td>
            ))}
          </tr>
        ))}
      </StageTable>
    </Fold>
  )
}

/** The share of each stage in the votes. */
export function VoteShares({ scenario, decision: { stages } }: DecisionProps) {
  const total = stages.reduce((sum, { votes }) => sum + votes, 0)
  if (total === 0) return null
  const line = stageNumbers(scenario)
  return (
    <Fold id="ballot" head={<h3>{t('Ballot')}</h3>}>
      <div
        className="ballot"
        role="img"
        aria-label={line.map((s) => `${isolated(scenario.stages[s].name)} ${Math.round((100 * stages[s].votes) / total)}%`).join(', ')}
      >
        {line.map((s) => (
          <span key={s} style={{ flexGrow: stages[s].votes, background: stageColour(currentPalette(), s).fill }} />
        ))}
      </div>
    </Fold>
  )
}
