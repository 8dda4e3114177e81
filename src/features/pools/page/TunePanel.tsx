import { minIndex } from 'd3-array'
import { useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { plainNumber, typedNumber } from '../../../app/base/forms/typedText.ts'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { Table } from '../../../app/base/ui/Table.tsx'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { PanelFold } from '../../../app/session/page/PanelFold.tsx'
import { runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { coresAreTaken } from '../../../app/session/study/backgroundJob.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Stage } from '../../../scenario/model/scenario.ts'
import { allowedText, numberText } from '../../../scenario/model/words.ts'
import { duration } from '../../../views/drawing/format.ts'
import { costNumber, type GainMapData, type GainMark, gainsText, mountGainMap } from '../draw/gainMap.ts'
import { type Gains, type PoolUse, poolCost } from '../measure/tuning.ts'
import { isPid, type PidScenario, type UltimateSearch } from '../study/gainSearch.ts'
import { applyGains, gainsOf, type Tuning, three, tuningStore, tuningStudy } from './tuning.ts'
import './tune.css'

/** Which gains cost least: a search by simulation, for a scenario with PID controllers. */
export function TunePanel() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  return isPid(scenario) ? <TuneOf scenario={scenario} /> : null
}

function TuneOf({ scenario }: { readonly scenario: PidScenario }) {
  const session = useSession()
  const { weight } = useStore(tuningStore(session))
  const { study, state, stale, start } = useStudy(tuningStudy, scenario)
  const tuning = state.found
  const running = state.phase === 'running'
  const busy = useStore(runStore(session), coresAreTaken)
  return (
    <PanelFold id="tuning" className="tune" title={t('Tuning')} note={running ? t('Searching') : undefined}>
      <div className="panel-part">
        <Button disabled={running || busy} onClick={start} text={t('Search gains')} />
        <Weight weight={weight} />
        {stale !== null && (
          <p className="warning" aria-live="polite">
            {t('The scenario has changed.')}
          </p>
        )}
        {tuning !== null && (
          <>
            <JobProgress job={study} label={t('Searching')} unknown={tuning.grid === null} />
            <JobFailure job={study} />
            <Found tuning={tuning} gains={scenario.policy} weight={weight} />
          </>
        )}
      </div>
    </PanelFold>
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
      {!valid && <p className="warning">{allowedText(numberText(0, 1e6))}</p>}
    </div>
  )
}

function weightIn(text: string): number | null {
  const value = Number(plainNumber(text))
  return text.trim() !== '' && value >= 0 && value <= 1e6 ? value : null
}

function Found({ tuning, gains, weight }: { readonly tuning: Tuning; readonly gains: Gains; readonly weight: number }) {
  const { grid, uses, kd, named, asked, ultimate } = tuning
  const costOf = (use: PoolUse | null) => use && poolCost(use, weight)
  const costs = uses.map(costOf)
  const best = minIndex(costs, (cost) => cost ?? Infinity)
  const least = grid !== null && Number.isFinite(costs[best] ?? Infinity) ? gainsOf(grid, kd, best) : null
  const rows: Row[] = named.map(({ use, ...setting }) => ({ ...setting, cost: costOf(use) }))
  if (least !== null) rows.push({ name: t('least'), gains: least, cost: costs[best] })
  return (
    <>
      {ultimate !== null && <Rule found={ultimate} stages={asked.scenario.stages} />}
      {grid !== null && (
        <GainMap
          tuning={tuning}
          data={{
            ...grid,
            costs,
            marks: [
              ...named.slice(1).map(({ name, gains }): GainMark => ({ kind: 'named', name, ...gains })),
              ...(least === null ? [] : [{ kind: 'least', name: '', ...least } as const]),
              { kind: 'now', name: '', ...gains },
            ],
          }}
          gains={gains}
        />
      )}
      {rows.length > 1 && <Settings rows={rows} now={gains} />}
      {grid !== null && asked.jobs < asked.of && (
        <p className="soft">
          {t('Each point plays the first {jobs, number} of {of, number} jobs.', { jobs: asked.jobs, of: asked.of })}
        </p>
      )}
    </>
  )
}

function Rule({ found, stages }: { readonly found: UltimateSearch; readonly stages: readonly Stage[] }) {
  return (
    <p className="tune-message" data-testid="ultimate">
      {found.kind === 'never' ? (
        t('No settings by Ziegler and Nichols. {reason}', { reason: found.reason })
      ) : (
        <>
          <Translated
            text="With the load and services at their means, P alone makes the queue{which} oscillate steadily from K<sub>u</sub> = {gain} on, a round in T<sub>u</sub> = {period}."
            values={{
              which: stages.length > 1 ? t(' of {stage}', { stage: stages[found.ultimate.stage].name }) : '',
              gain: three(found.ultimate.gain),
              period: duration(found.ultimate.period),
            }}
          />{' '}
          {t('P, PI and PID by Ziegler and Nichols (1942).')}
        </>
      )}
    </p>
  )
}

type MapProps = {
  readonly tuning: Tuning
  readonly data: Omit<GainMapData, 'palette' | 'focus'>
  readonly gains: Gains
}

function GainMap({ tuning: { kd, uses }, data, gains }: MapProps) {
  const session = useSession()
  const [focus, setFocus] = useState(-1)
  const [taken, setTaken] = useState('')
  const choose = useRef((_: number) => {})
  choose.current = (cell) => {
    setFocus(cell)
    const chosen = gainsOf(data, kd, cell)
    applyGains(session, chosen)
    setTaken(t('Taken: {what}.', { what: `${gainsText(chosen)}, kd ${kd}` }))
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
          {gains.kd !== kd && ` (kd ${gains.kd})`} <i className="tune-least" /> {t('least')} {`(kd ${kd})`}
        </span>
        <output>
          {focus < 0 ? (
            t('A click or Enter takes it.')
          ) : (
            <Cell gains={gainsOf(data, kd, focus)} use={uses[focus]} cost={data.costs[focus]} />
          )}
        </output>
        <span className="unseen" role="alert">
          {taken}
        </span>
      </figcaption>
    </figure>
  )
}

interface CellProps {
  readonly gains: Gains
  readonly use: PoolUse | null
  readonly cost: number | null
}

function Cell({ gains, use, cost }: CellProps) {
  return (
    <>
      {gainsText(gains)}:{' '}
      {use === null || cost === null ? (
        t('not played yet')
      ) : use.left > 0 ? (
        t('{n, plural, one {# job} other {# jobs}} left', { n: use.left })
      ) : (
        <Translated
          text="<b>cost {cost}</b>, mean wait {wait}, {workers} workers on average"
          values={{
            cost: costNumber(cost),
            wait: duration(use.jobs > 0 ? use.waitTime / use.jobs : 0),
            workers: three(use.makespan > 0 ? use.workerTime / use.makespan : 0),
          }}
        />
      )}
    </>
  )
}

type Row = { readonly name: string; readonly gains: Gains; readonly cost: number | null }

function Settings({ rows, now }: { readonly rows: readonly Row[]; readonly now: Gains }) {
  const session = useSession()
  return (
    <Table data-testid="gain-settings" heads={[{ unseen: t('Setting') }, 'kp', 'ki', 'kd', t('cost')]}>
      {rows.map(({ name, gains, cost }) => {
        const isPresent = gains.kp === now.kp && gains.ki === now.ki && gains.kd === now.kd
        return (
          <tr key={name}>
            <th scope="row">
              {isPresent ? (
                name
              ) : (
                <Button
                  className="link"
                  aria-label={t('Take {name}', { name })}
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
