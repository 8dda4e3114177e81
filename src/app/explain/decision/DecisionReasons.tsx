import { useMemo } from 'react'
import { isolated, t } from '../../../language/translate.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { kindName } from '../../../scenario/model/policies.ts'
import { count } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { parliamentLayout, seatDots, smallParliament } from '../../../views/parliament/seats.ts'
import { Fold } from '../../base/controls/Fold.tsx'
import { currentPalette } from '../../base/page/theme.ts'
import { StageTable } from '../../base/ui/Table.tsx'
import { ruleName } from '../../base/words/ruleName.ts'
import type { DecisionProps } from './DecisionVotes.tsx'

/** The seats that other policies give for the waiting jobs. Different results stand out. */
export function OtherPolicies({ scenario, decision }: DecisionProps) {
  const { policy, stages, others } = decision
  if (others.length === 0) return null
  const line = stageNumbers(scenario)
  const policyTitle =
    scenario.policy.kind === 'power'
      ? ruleName({ rule: 'power', power: scenario.policy.p })
      : kindName(policy, scenario.policy)
  const given = { name: policyTitle, seats: stages.map(({ seatsAfter }) => seatsAfter), agrees: false }
  const verdicts = [given, ...others.map((other) => ({ ...other, name: ruleName(other) }))]
  const differ = others.filter(({ agrees }) => !agrees).length
  const title = t('Other policies')
  const note =
    differ === 0 ? t('all {n} agree', { n: others.length }) : t('{differ} of {n} differ', { differ, n: others.length })
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

const WIDTH = 92
const HEIGHT = 46

type Verdicts = readonly { readonly name: string; readonly seats: readonly number[] }[]

/** The same votes under several policies: a small half circle each, with the number of seats that would move. The decision's own policy is first. */
function VerdictParliaments({
  scenario,
  decision: { stages, workers },
  verdicts,
}: DecisionProps & { readonly verdicts: Verdicts }) {
  const order = stageNumbers(scenario)
  const palette = currentPalette()
  const { dots, each } = seatDots(Math.max(1, workers), [])
  const layout = useMemo(() => parliamentLayout(dots, WIDTH, HEIGHT), [dots])
  return (
    <>
      <ul className="parliaments">
        {verdicts.map(({ name, seats }) => {
          const apart = stages.reduce((sum, { seatsAfter }, s) => sum + Math.abs(seatsAfter - seats[s]), 0)
          const moved = Math.ceil(apart / 2)
          const orderText = order.map((s) => `${isolated(scenario.stages[s].name)} ${seats[s]}`).join(', ')
          return (
            <li key={name} className={apart > 0 ? 'differs' : undefined}>
              <svg
                role="img"
                aria-label={`${name}: ${orderText}; ${moved === 0 ? t('the same') : t('{moved} elsewhere', { moved })}`}
                viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
                width={WIDTH}
                height={HEIGHT}
              >
                {smallParliament(layout, seatDots(Math.max(1, workers), seats).seats, order).map(({ stage, path }) => (
                  <path
                    key={stage}
                    d={path}
                    {...(stage < 0
                      ? { fill: 'none', stroke: palette.soft }
                      : { fill: stageColour(palette, stage).fill })}
                  />
                ))}
                {moved > 0 && (
                  <text
                    x={WIDTH / 2}
                    y={HEIGHT - 4}
                    textAnchor="middle"
                    fontSize="13"
                    fontWeight="700"
                    fill={palette.accent}
                  >
                    {moved}
                  </text>
                )}
              </svg>
              <span aria-hidden="true">{name}</span>
            </li>
          )
        })}
      </ul>
      {each > 1 && <p className="soft">{t('a dot is {each}', { each: count(each) })}</p>}
    </>
  )
}
