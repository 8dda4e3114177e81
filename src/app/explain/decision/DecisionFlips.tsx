import type { Flip } from '../../../allocation/flip.ts'
import { t } from '../../../language/translate.ts'
import { flipSentenceOf } from '../../../measures/decisions/flipWords.ts'
import type { Cost } from '../../../measures/figures/serviceCosts.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { count, duration, exactDuration } from '../../../views/drawing/format.ts'
import { scaleFor } from '../../../views/drawing/scale.ts'
import { Fold } from '../../base/controls/Fold.tsx'
import { ColouredText } from '../../base/ui/ColouredText.tsx'
import { StageHead, Swatch, Table } from '../../base/ui/Table.tsx'
import type { DecisionProps } from './DecisionVotes.tsx'

/** What would have changed the decision: in a sentence, and for each stage the nearest queue length and service time with another target. */
export function DecisionFlips({ scenario, decision }: DecisionProps) {
  const { flips } = decision
  return (
    <section>
      <h3>{t('What would have changed it')}</h3>
      <p className="flip-sentence">
        <ColouredText parts={flipSentenceOf(scenario, decision, duration, exactDuration)} />
      </p>
      {flips.some((both) => both !== null && (both.loss !== null || both.gain !== null)) && (
        <Fold id="flips" head={t('Stage by stage')}>
          <FlipTable scenario={scenario} decision={decision} />
        </Fold>
      )}
    </section>
  )
}

function FlipTable({ scenario, decision: { flips, stages } }: DecisionProps) {
  return (
    <Table
      className={stages.some(({ waiting }) => waiting >= 1000) ? 'flips long' : 'flips'}
      heads={[t('Stage'), t('lower target'), t('higher target')]}
    >
      {stageNumbers(scenario).map((s) => {
        const { id, name } = scenario.stages[s]
        return (
          <tr key={id} className={stages[s].done ? 'done' : undefined}>
            <StageHead stage={s} name={name} />
            <Cell scenario={scenario} flip={flips[s]?.loss ?? null} less />
            <Cell scenario={scenario} flip={flips[s]?.gain ?? null} />
          </tr>
        )
      })}
    </Table>
  )
}

/** The queue length and the mean service time at which a seat goes to, or comes from, another stage. */
function Cell({
  scenario,
  flip,
  less = false,
}: Pick<DecisionProps, 'scenario'> & { readonly flip: Flip | null; readonly less?: boolean }) {
  if (flip === null || (flip.waiting === null && flip.mean === null)) return <td className="soft">–</td>
  const { waiting, mean } = flip
  const other = scenario.stages[flip.rival].name
  const towards = less ? t('to {stage}', { stage: other }) : t('from {stage}', { stage: other })
  return (
    <td title={towards}>
      {waiting !== null && (
        <span>
          {less ? '≤ ' : '≥ '}
          {t('{n, number} waiting', { n: waiting })}
        </span>
      )}
      {mean !== null && (
        <span>
          <span className="unseen">
            {t('service time')} {less ? '<' : '>'}{' '}
          </span>
          <span aria-hidden="true">{less ? '< ' : '> '}</span>
          {duration(mean, less ? Math.floor : Math.ceil)}
        </span>
      )}
      <span className="flip-with">
        <span className="unseen">, {towards} </span>
        <span aria-hidden="true">{less ? '→' : '←'} </span>
        <Swatch stage={flip.rival} />
      </span>
    </td>
  )
}

/** Service times side by side: estimated by the scheduler, declared by the scenario, measured in the run. `costs`: by stage. */
export function DecisionCosts({
  scenario,
  decision: { stages },
  costs,
}: DecisionProps & { readonly costs: readonly Cost[] }) {
  const { text, unit } = scaleFor([
    ...stages.map(({ mean }) => mean),
    ...costs.flatMap(({ declared, measured }) => [declared, measured]),
  ])
  return (
    <Fold
      id="costs"
      head={
        <h3>
          {t('Service time: estimated and actual')} <span className="unit">{unit}</span>
        </h3>
      }
    >
      <Table className="costs" heads={[t('Stage'), t('estimated'), t('declared'), t('whole run')]}>
        {stageNumbers(scenario).map((s) => {
          const { mean, measured } = stages[s]
          const { declared, changes, measured: whole, services } = costs[s]
          return (
            <tr key={scenario.stages[s].id}>
              <StageHead stage={s} name={scenario.stages[s].name} />
              <td className={measured > 0 ? undefined : 'guess'} title={t('{n} measured', { n: count(measured) })}>
                {text(mean)}
              </td>
              <td title={changes ? t('At the start') : undefined}>
                {text(declared)}
                {changes && <span aria-hidden="true">*</span>}
              </td>
              <td title={t('{n} measured', { n: count(services) })}>{text(whole)}</td>
            </tr>
          )
        })}
      </Table>
    </Fold>
  )
}
