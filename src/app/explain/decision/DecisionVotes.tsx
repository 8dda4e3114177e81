import { t } from '../../../language/translate.ts'
import type { Decision } from '../../../measures/decisions/decision.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { numberScale, scaleFor } from '../../../views/drawing/scale.ts'
import { StageHead, Table } from '../../base/ui/Table.tsx'

/** The props of each part of the panel: a decision, and its scenario. */
export type DecisionProps = { readonly scenario: Scenario; readonly decision: Decision }

/** What the scheduler saw, by stage: waiting jobs, further inputs of the policy, votes, and targets. */
export function DecisionVotes({
  scenario,
  decision: { stages, orders },
  noRowYet,
}: DecisionProps & { readonly noRowYet: boolean }) {
  const mean = scaleFor(stages.map((stage) => stage.mean))
  const votes = scaleFor(stages.map((stage) => stage.votes))
  const besides = besidesOf(scenario, stages)
  const jobsTaken = stages.map((_, s) => orders.reduce((sum, { stage, jobs }) => (stage === s ? sum + jobs : sum), 0))
  const sum = scenario.policy.kind === 'deadline' ? t('votes') : t('work')
  return (
    <section>
      <h3>{t('What the scheduler saw')}</h3>
      <Table
        className={besides === null ? 'seen' : 'seen looks-ahead'}
        heads={[
          t('Stage'),
          t('waiting'),
          ...(besides === null ? [] : [besides.head]),
          t('mean {unit}', { unit: mean.unit }),
          `${sum} ${votes.unit === mean.unit ? '' : votes.unit}`,
          t('target'),
        ]}
      >
        {stageNumbers(scenario).map((s) => {
          const { waiting, done, measured, seatsAfter, seatsBefore } = stages[s]
          const { id, name } = scenario.stages[s]
          if (done && noRowYet)
            return (
              <tr key={id} className="done">
                <StageHead stage={s} name={name} />
                <td colSpan={4}>{t('no row yet')}</td>
              </tr>
            )
          return (
            <tr key={id} className={done ? 'done' : undefined}>
              <StageHead stage={s} name={name} />
              <td
                className="waits"
                data-taken={jobsTaken[s] > 0 ? `−${count(jobsTaken[s])}` : ''}
                title={jobsTaken[s] > 0 ? t('{n} taken', { n: count(jobsTaken[s]) }) : undefined}
              >
                {count(waiting)}
              </td>
              {besides !== null && <td>{besides.cell(s)}</td>}
              <td
                className={measured > 0 ? undefined : 'guess'}
                title={measured > 0 ? undefined : t('Not measured yet')}
              >
                {mean.text(stages[s].mean)}
              </td>
              <td title={besides?.sum(s)}>{votes.text(stages[s].votes)}</td>
              <td>
                {seatsAfter !== seatsBefore && !done && (
                  <span className="soft">{changeOf(seatsBefore, seatsAfter)} </span>
                )}
                <strong>{done ? t('done') : count(seatsAfter)}</strong>
              </td>
            </tr>
          )
        })}
      </Table>
    </section>
  )
}

function changeOf(before: number, after: number): string {
  if (before < 1000 && after < 1000) return `${before} →`
  return after > before ? `+${count(after - before)}` : `−${count(before - after)}`
}

/** Returns the further inputs of a policy that looks ahead, and how they change the votes; null for other policies. */
function besidesOf({ policy }: Scenario, stages: DecisionProps['decision']['stages']) {
  if (policy.kind === 'preallocate') {
    const { text } = numberScale(stages.map(({ coming }) => coming))
    const jobs = stages.every(({ coming }) => Number.isInteger(coming)) ? count : text
    return {
      head: t('coming'),
      cell: (s: number) => (stages[s].coming > 0 ? `+ ${jobs(stages[s].coming)}` : ''),
      sum: (s: number) => {
        const { waiting, coming, mean } = stages[s]
        return t('({waiting, number} waiting + {coming} coming) × {mean}', {
          waiting,
          coming: jobs(coming),
          mean: duration(mean),
        })
      },
    }
  }
  if (policy.kind !== 'deadline') return null
  const ages = scaleFor(stages.map(({ age }) => age))
  return {
    head: t('oldest {unit}', { unit: ages.unit }),
    cell: (s: number) => (stages[s].waiting > 0 ? ages.text(stages[s].age) : ''),
    sum: (s: number) =>
      t('{work} of work × (1 + {age} / {due})', {
        work: duration(stages[s].work),
        age: duration(stages[s].age),
        due: duration(policy.due),
      }),
  }
}
