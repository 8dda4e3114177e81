import { Swatch, Table } from '../../../app/base/ui/Table.tsx'
import { t } from '../../../language/translate.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { hasCode, type Micros, type Scenario } from '../../../scenario/model/scenario.ts'
import { milliseconds } from '../../../views/drawing/format.ts'
import { isServiceEstimated, type Residual, type ResidualPartName } from '../measure/residual.ts'

/** `also`: what a difference here means. */
type Named = Readonly<Record<'name' | 'short' | 'about', string>> & { readonly also?: string }

const names = (engine: EngineName): Readonly<Record<ResidualPartName, Named>> => ({
  other: {
    name: t('As predicted'),
    also: t('other decisions'),
    short: t('other'),
    about: t('Services, changes and arrivals as long as predicted, but of other jobs'),
  },
  contention:
    engine === 'room'
      ? {
          name: t('Slow devices'),
          short: t('devices'),
          about: t('The device is slower, or had other work'),
        }
      : {
          name: t('Contention for cores'),
          short: t('cores'),
          about: t('Other threads had the core'),
        },
  belief: {
    name: t('Estimate and actual time'),
    short: t('estimate'),
    about: t('Real work that took more than the scenario declares'),
  },
  batch: {
    name: t('Batches'),
    short: t('batches'),
    about: t('Finished jobs that waited for their batch'),
  },
  network: {
    name: t('Network'),
    short: t('network'),
    about: t('Batches to a device, and answers back'),
  },
  message:
    engine === 'room'
      ? {
          name: t('Late arrivals'),
          short: t('arrivals'),
          about: t('Until the scheduler heard of a job'),
        }
      : {
          name: t('Messages'),
          short: t('messages'),
          about: t('Orders to workers, reports back, arrivals heard late'),
        },
  frame: {
    name: t('Messages to code'),
    short: t('to code'),
    about: t('Orders, reports and late arrivals of stages with code'),
  },
})
const order: readonly ResidualPartName[] = ['other', 'contention', 'belief', 'batch', 'network', 'message', 'frame']

/** Where the time of the real run and of the simulation went, and the difference. The parts add up to the microsecond. */
export function ResidualTable({ scenario, residual }: { readonly scenario: Scenario; readonly residual: Residual }) {
  const hasEstimates = scenario.stages.some((_, s) => isServiceEstimated(scenario, s))
  const named = names(residual.engine)
  const parts = order
    .flatMap((name) => residual.parts.filter((part) => part.name === name))
    .filter(({ name, real, simulated }) =>
      name === 'belief'
        ? hasEstimates
        : name === 'frame'
          ? hasCode(scenario)
          : name !== 'network' || residual.engine === 'room' || real !== 0 || simulated !== 0,
    )
  const total = residual.real - residual.simulated
  const reached = [0]
  for (const { difference } of parts) reached.push(reached[reached.length - 1] + difference)
  const [least, most] = [Math.min(total, ...reached), Math.max(total, ...reached)]
  const bar = (from: Micros, to: Micros) => <Bar from={from} to={to} least={least} most={most} />
  return (
    <div className="residual">
      <table>
        <caption>{t('Along the way to the end of each run, in ms')}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('real')}</th>
            <th scope="col">{t('simulated')}</th>
            <th scope="col">{t('difference')}</th>
            <td className="residual-bar" />
          </tr>
        </thead>
        <tbody>
          {parts.map(({ name, real, simulated, difference }, k) => (
            <tr key={name} data-part={name}>
              <th scope="row" title={named[name].about}>
                {named[name].name}
                {difference !== 0 && named[name].also !== undefined && (
                  <small className="soft">{named[name].also}</small>
                )}
              </th>
              <td>{milliseconds(real, 3)}</td>
              <td>{milliseconds(simulated, 3)}</td>
              <td>{signed(difference)}</td>
              <td className="residual-bar">{bar(reached[k], reached[k + 1])}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr data-part="total">
            <th scope="row">{t('Makespan')}</th>
            <td>{milliseconds(residual.real, 3)}</td>
            <td>{milliseconds(residual.simulated, 3)}</td>
            <td>{signed(total)}</td>
            <td className="residual-bar">{bar(0, total)}</td>
          </tr>
        </tfoot>
      </table>
      <p className="soft">
        {t('Each run is traced back from its end along what it waited for.')}
        {parts.some(({ name, difference }) => name === 'other' && difference !== 0) &&
          ` ${t('Other decisions: other jobs went to other workers.')}`}
      </p>
      <details>
        <summary>{t('The difference stage by stage')}</summary>
        <Stages scenario={scenario} parts={parts} named={named} />
      </details>
    </div>
  )
}

function Stages({
  scenario,
  parts,
  named,
}: { readonly scenario: Scenario; readonly named: ReturnType<typeof names> } & Pick<Residual, 'parts'>) {
  const outside = scenario.stages.length
  const rows = [...stageNumbers(scenario), ...(parts.some(({ byStage }) => byStage[outside] !== 0) ? [outside] : [])]
  const sum = (s: number) => parts.reduce((total, { byStage }) => total + byStage[s], 0)
  return (
    <Table
      wide={t('The difference stage by stage')}
      heads={[
        t('Stage'),
        ...parts.map(({ name }) => ({ text: named[name].short, about: named[name].about })),
        t('all'),
      ]}
    >
      {rows.map((s) => (
        <tr key={s}>
          <th scope="row">
            {s < outside && <Swatch stage={s} />} {s < outside ? scenario.stages[s].name : t('Before any stage')}
          </th>
          {parts.map(({ name, byStage }) => (
            <td key={name}>{signed(byStage[s])}</td>
          ))}
          <td>{signed(sum(s))}</td>
        </tr>
      ))}
    </Table>
  )
}

/** A bar of the difference: it begins where the parts above ended. */
function Bar({
  from,
  to,
  least,
  most,
}: {
  readonly from: Micros
  readonly to: Micros
  readonly least: Micros
  readonly most: Micros
}) {
  const share = (time: Micros) => `${((time - least) / Math.max(1, most - least)) * 100}%`
  return (
    <div aria-hidden="true">
      <s style={{ left: share(0) }} />
      <i
        className={to < from ? 'less' : undefined}
        style={{ left: share(Math.min(from, to)), right: `calc(100% - ${share(Math.max(from, to))})` }}
      />
    </div>
  )
}

const signed = (time: Micros): string =>
  time === 0 ? '0.000' : `${time < 0 ? '−' : '+'}${milliseconds(Math.abs(time), 3)}`
