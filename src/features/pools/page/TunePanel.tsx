import { minIndex } from 'd3-array'
import { useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Fold } from '../../../app/base/controls/Fold.tsx'
import { plainNumber, typedNumber } from '../../../app/base/forms/typedText.ts'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { Table } from '../../../app/base/ui/Table.tsx'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { useInLesson } from '../../../app/session/page/showing.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { coresAreTaken } from '../../../app/session/study/backgroundJob.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { costNumber, type GainMapData, type GainMark, mountGainMap } from '../draw/gainMap.ts'
import { type Gains, type PoolUse, poolCost } from '../measure/tuning.ts'
import { type GainGrid, isPid, type PidScenario, type UltimateSearch } from '../study/gainSearch.ts'
import { applyGains, gainsOf, type Tuning, tuningStore, tuningStudy } from './tuning.ts'
import './tune.css'

/** Which gains cost least: a search by simulation, for a scenario with PID controllers. */
export function TunePanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  return isPid(scenario) ? <TuneOf scenario={scenario} /> : null
}

function TuneOf({ scenario }: { readonly scenario: PidScenario }) {
  const session = useSession()
  const inLesson = useInLesson()
  const { weight } = useStore(tuningStore(session))
  const { study, state, stale, start } = useStudy(tuningStudy, scenario)
  const tuning = state.found
  const running = state.phase === 'running'
  const busy = useStore(runStore(session), coresAreTaken)
  return (
    <article className="panel-fold tune" aria-label={t('Tuning')}>
      <Fold
        id="tuning"
        head={<h3>{t('Tuning')}</h3>}
        note={tuning === null ? t('not searched yet') : running ? t('Searching gains') : undefined}
        opens={inLesson}
      >
        <div className="panel-part">
          <Button
            disabled={running || busy}
            onClick={start}
            text={tuning === null ? t('Search gains') : t('Search again')}
          />
          <Weight weight={weight} />
          {stale !== null && (
            <p className="warning" aria-live="polite">
              {stale.phase === 'done'
                ? t('The scenario has changed since the last search.')
                : t('The scenario has changed, so the search stopped.')}{' '}
              {t('Search again for this one.')}
            </p>
          )}
          {tuning === null && <p className="soft">{t('Runs this scenario with many gains. Click one to use it.')}</p>}
          {tuning !== null && (
            <>
              <JobProgress job={study} label={t('Searching gains')} unknown={tuning.grid === null} />
              <JobFailure job={study} />
              <Found tuning={tuning} gains={scenario.policy} weight={weight} />
            </>
          )}
        </div>
      </Fold>
    </article>
  )
}

function Weight({ weight }: { readonly weight: number }) {
  const session = useSession()
  const id = useId()
  const [text, setText] = useState(typedNumber(weight))
  const valid = weightIn(text) !== null
  return (
    <div className="tune-cost">
      <label htmlFor={id}>{t('cost = workers × time + ')}</label>
      <input
        id={id}
        type="text"
        inputMode="decimal"
        value={text}
        aria-label={t('What a waiting second costs, in worker seconds')}
        aria-invalid={!valid}
        onChange={({ target }) => {
          setText(target.value)
          const typed = weightIn(target.value)
          if (typed !== null) tuningStore(session).setState({ weight: typed })
        }}
      />
      <span>{t(' × jobs × wait')}</span>
      {!valid && <p className="warning">{t('allowed: a number from 0 to 1,000,000')}</p>}
    </div>
  )
}

function weightIn(text: string): number | null {
  const value = Number(plainNumber(text))
  return text.trim() !== '' && value >= 0 && value <= 1e6 ? value : null
}

function Found({ tuning, gains, weight }: { readonly tuning: Tuning; readonly gains: Gains; readonly weight: number }) {
  const { grid, uses, kd, named, asked, ultimate } = tuning
  const prices = { worker: 1, wait: weight }
  const costOf = (use: PoolUse | null) => use && poolCost(use, prices)
  const costs = uses.map(costOf)
  const best = Math.max(
    0,
    minIndex(costs, (cost) => cost ?? Infinity),
  )
  const least = grid !== null && Number.isFinite(costs[best] ?? Infinity) ? gainsOf(grid, kd, best) : null
  const rows = named.map(({ name, gains: each, use }) => ({ name, gains: each, cost: costOf(use) }))
  if (least !== null) rows.push({ name: t('Least here'), gains: least, cost: costs[best] })
  return (
    <>
      {ultimate !== null && (
        <Rule found={ultimate} stages={asked.scenario.stages.map(({ name }) => name)} length={asked.to - asked.from} />
      )}
      {grid !== null && (
        <GainMap
          tuning={tuning}
          grid={grid}
          data={{
            kp: grid.kp,
            ki: grid.ki,
            costs,
            marks: [
              ...named.slice(1).map(({ name, gains: { kp, ki } }): GainMark => ({ kind: 'named', name, kp, ki })),
              ...(least === null ? [] : [{ kind: 'least', name: t('least'), ...least } as const]),
              { kind: 'now', name: t('now'), kp: gains.kp, ki: gains.ki },
            ],
          }}
          gains={gains}
        />
      )}
      {rows.length > 1 && <Settings rows={rows} now={gains} />}
      {grid !== null && (
        <p className="soft">
          {asked.jobs < asked.of &&
            `${t('Each point plays the first {jobs, number} of {of, number} jobs.', { jobs: asked.jobs, of: asked.of })} `}
          {t('Simulated with the same random seed; costs in worker seconds.')}
        </p>
      )}
    </>
  )
}

function Rule({
  found,
  stages,
  length,
}: {
  readonly found: UltimateSearch
  readonly stages: readonly string[]
  readonly length: number
}) {
  const held = t('With the load and services at their means')
  if (found.kind === 'never')
    return (
      <p className="tune-message" data-testid="ultimate">
        {t('No settings by Ziegler and Nichols. {reason}', { reason: found.reason })}
      </p>
    )
  const { ultimate, before, at } = found
  const which = stages.length > 1 ? t(' of {stage}', { stage: stages[at.stage] }) : ''
  const swung = before !== null && before.rounds > 0 && { gain: three(before.gain), length: duration((length * 2) / 3) }
  return (
    <p className="tune-message" data-testid="ultimate">
      <Translated
        text="{held}, P alone makes the queue{which} oscillate steadily from K<sub>u</sub> = {gain} on, a round in T<sub>u</sub> = {period}."
        values={{ held, which, gain: three(ultimate.gain), period: duration(ultimate.period) }}
      />{' '}
      {swung && `${t('At {gain} it swung too, but not evenly for {length}.', swung)} `}
      {t('P, PI and PID by Ziegler and Nichols (1942).')}
    </p>
  )
}

type MapProps = {
  readonly tuning: Tuning
  readonly grid: GainGrid
  readonly data: Omit<GainMapData, 'palette' | 'focus'>
  readonly gains: Gains
}

function GainMap({ tuning: { kd, uses }, grid, data, gains }: MapProps) {
  const session = useSession()
  const [focus, setFocus] = useState(-1)
  const [taken, setTaken] = useState('')
  const choose = useRef((_: number) => {})
  choose.current = (cell) => {
    setFocus(cell)
    const each = gainsOf(grid, kd, cell)
    applyGains(session, each)
    setTaken(t('Taken: kp {kp}, ki {ki}, kd {kd}.', { kp: each.kp, ki: each.ki, kd: each.kd }))
  }
  const host = useDrawing(
    (element) => mountGainMap(element, { look: setFocus, choose: (cell) => choose.current(cell) }),
    (map) => map.update({ ...data, focus, palette: currentPalette() }),
  )
  return (
    <figure>
      <div ref={host} data-testid="gain-map" />
      <figcaption>
        <span className="tune-keys">
          <i className="tune-now" /> {t('now')}
          {gains.kd === kd ? '' : t(' (kd {kd})', { kd: gains.kd })} <i className="tune-least" />{' '}
          {t('least; map at kd {kd}', { kd })}
        </span>
        <output>
          {focus < 0 ? (
            t('Point, or use the arrow keys; Enter takes the gains.')
          ) : (
            <Cell gains={gainsOf(grid, kd, focus)} use={uses[focus]} cost={data.costs[focus]} />
          )}
        </output>
        <span className="unseen" role="alert">
          {taken}
        </span>
      </figcaption>
    </figure>
  )
}

function Cell({
  gains: { kp, ki },
  use,
  cost,
}: {
  readonly gains: Gains
  readonly use: PoolUse | null
  readonly cost: number | null
}) {
  const name = t('kp {kp}, ki {ki}: ', { kp, ki })
  if (use === null || cost === null) return <>{t('{name}not played yet', { name })}</>
  if (use.left > 0)
    return (
      <>
        {t('{name}{left} {left2, plural, one {job is} other {jobs are}} left behind', {
          name,
          left: count(use.left),
          left2: use.left,
        })}
      </>
    )
  const workers = use.makespan > 0 ? use.workerTime / use.makespan : 0
  return (
    <>
      {name}
      <Translated
        text="<b>cost {cost}</b>, mean wait {wait}, {workers} workers on average"
        values={{
          cost: costNumber(cost),
          wait: duration(use.jobs > 0 ? use.waitTime / use.jobs : 0),
          workers: three(workers),
        }}
      />
    </>
  )
}

type Row = { readonly name: string; readonly gains: Gains; readonly cost: number | null }

function Settings({ rows, now }: { readonly rows: readonly Row[]; readonly now: Gains }) {
  const session = useSession()
  return (
    <Table data-testid="gain-settings" heads={[{ unseen: t('Setting') }, t('kp'), t('ki'), t('kd'), t('cost')]}>
      {rows.map(({ name, gains, cost }) => {
        const taken = gains.kp === now.kp && gains.ki === now.ki && gains.kd === now.kd
        return (
          <tr key={name}>
            <th scope="row">
              {taken ? (
                name
              ) : (
                <Button
                  className="link"
                  title={t('Take these gains')}
                  aria-label={t('Take the gains of {name}', { name })}
                  onClick={() => applyGains(session, gains)}
                  text={name}
                />
              )}
            </th>
            <td>{gains.kp}</td>
            <td>{gains.ki}</td>
            <td>{gains.kd}</td>
            <td>{cost === null ? '…' : cost === Infinity ? t('jobs left') : costNumber(cost)}</td>
          </tr>
        )
      })}
    </Table>
  )
}

const three = (value: number) => typedNumber(Number(value.toPrecision(3)))
