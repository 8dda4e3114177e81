import { Swatch, Table } from '../../../app/base/ui/Table.tsx'
import { t } from '../../../language/translate.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { doesRealWork, hasCode, type Micros, type Scenario } from '../../../scenario/model/scenario.ts'
import { milliseconds } from '../../../views/drawing/format.ts'
import { partWords, type Residual, type ResidualPart } from '../measure/residual.ts'

/** Where the time of the real run and of the simulation went, and the difference. The parts add up to the microsecond. */
export function ResidualTable({ scenario, residual }: { readonly scenario: Scenario; readonly residual: Residual }) {
  const { engine } = residual
  const words = partWords(engine)
  const isShown = ({ name, real, simulated }: ResidualPart) => {
    if (name === 'belief') return scenario.stages.some(doesRealWork)
    if (name === 'frame') return hasCode(scenario)
    return name !== 'network' || engine === 'room' || real !== 0 || simulated !== 0
  }
  const order = Object.keys(words)
  const parts = residual.parts.filter(isShown).sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  const total = residual.real - residual.simulated
  const reached = [0]
  for (const { difference } of parts) reached.push(reached[reached.length - 1] + difference)
  const [min, max] = [Math.min(total, ...reached), Math.max(total, ...reached)]
  const bar = (from: Micros, to: Micros) => <Bar from={from} to={to} min={min} max={max} />
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
              <th scope="row">
                {name === 'other' ? t('As predicted') : words[name]}
                {name === 'other' && difference !== 0 && <small className="soft">{words.other}</small>}
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
      <details>
        <summary>{t('The difference stage by stage')}</summary>
        <Stages scenario={scenario} parts={parts} heads={parts.map(({ name }) => words[name])} />
      </details>
    </div>
  )
}

function Stages({
  scenario,
  parts,
  heads,
}: { readonly scenario: Scenario; readonly heads: readonly string[] } & Pick<Residual, 'parts'>) {
  const outside = scenario.stages.length
  const rows = [...stageNumbers(scenario), ...(parts.some(({ byStage }) => byStage[outside] !== 0) ? [outside] : [])]
  const sum = (s: number) => parts.reduce((total, { byStage }) => total + byStage[s], 0)
  return (
    <Table wide={t('The difference stage by stage')} heads={[t('Stage'), ...heads, t('all')]}>
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
function Bar({ from, to, min, max }: Readonly<Record<'from' | 'to' | 'min' | 'max', Micros>>) {
  const share = (time: Micros) => `${((time - min) / Math.max(1, max - min)) * 100}%`
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
