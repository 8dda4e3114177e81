import { useMemo, useState } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { methodOptions, Select } from '../../../app/base/controls/Select.tsx'
import { CopyField } from '../../../app/base/ui/CopyField.tsx'
import { Table } from '../../../app/base/ui/Table.tsx'
import { linkTo } from '../../../app/session/address.ts'
import { openScenario } from '../../../app/session/run/opening.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import { MAX_SHORT, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { isMethod, menuKinds, menuName } from '../../../scenario/model/methods.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { logTime, roundTimes } from '../draw/logDrawing.ts'
import { type Change, MAX_TOGETHER, sharingPolicies } from '../fit/changes.ts'
import type { Fit } from '../fit/fitLog.ts'
import { betterDays, flowTimes, type PlayedDays, peaksAt, worstStage } from '../fit/whatIf.ts'
import type { SystemLog } from '../read/log.ts'
import { type Asked, firstToShow, type WhatIfs, whatIfStudy } from './fitting.ts'
import { changesName, spreadText, whatIfSentence } from './fitWords.ts'

/** The approximate number of times to choose from. */
const TIMES = 30

type Props = { readonly fit: Fit; readonly log: SystemLog; opened(): void }

/** Plays the day again with something changed from a time on. */
export function WhatIfPart({ fit, log, opened }: Props) {
  const [asked, setAsked] = useState<Asked>({ from: 0, more: 1, quicker: 20, own: [] })
  const { study, state, start } = useStudy(whatIfStudy, { fit, asked })
  const running = state.phase === 'running'
  const end = fit.time[fit.time.length - 1]
  const times = roundTimes(log.origin, 0, end, TIMES).filter((at) => at > 0 && at < end)
  return (
    <section className="fit-what-if" aria-label={t('The same day, with a change')}>
      <h3>{t('The same day, with a change')}</h3>
      <div className="field-row">
        <label className="field">
          <span>{t('From')}</span>
          <Select
            value={asked.from}
            options={[[0, t('the start')], ...times.map((at) => [at, logTime(log.origin, at)] as const)]}
            choose={(from) => setAsked({ ...asked, from })}
          />
        </label>
        <label className="field">
          <span>{t('More workers')}</span>
          <input
            type="number"
            min={1}
            max={MAX_WORKERS - fit.scenario.workers}
            value={asked.more}
            onChange={({ target }) =>
              target.validity.valid && target.value !== '' && setAsked({ ...asked, more: target.valueAsNumber })
            }
          />
        </label>
        <label className="field">
          <span>{t('Quicker by')}</span>
          <Select
            value={asked.quicker}
            options={[10, 20, 30, 50].map((share) => [share, t('{x}%', { x: String(share) })])}
            choose={(quicker) => setAsked({ ...asked, quicker })}
          />
        </label>
      </div>
      <OwnChanges scenario={fit.scenario} changes={asked.own} choose={(own) => setAsked({ ...asked, own })} />
      {!running && (
        <div className="fit-row">
          <Button className="button run" onClick={start} text={t('Play the changes')} />
        </div>
      )}
      <JobProgress job={study} label={t('The same day, with a change')} />
      <JobFailure job={study} />
      {!running && state.found !== null && (
        <WhatIfAnswers found={state.found} own={asked.own} fit={fit} log={log} opened={opened} />
      )}
    </section>
  )
}

type AnswersProps = Props & { readonly found: WhatIfs; readonly own: readonly Change[] }

/** The result of each change, and the chosen one as a sentence with its link. */
function WhatIfAnswers({ found, own, fit, log, opened }: AnswersProps) {
  const { base, answers, from } = found
  const [chosen, setChosen] = useState(() => firstToShow(found, own))
  const { scenario, time, logged } = fit
  const worst = worstStage(base)
  const { name } = scenario.stages[worst]
  const since = from === 0 ? null : logTime(log.origin, from)
  const inLog = logged[worst].reduce((most, queue, k) => (time[k] >= from ? Math.max(most, queue) : most), 0)
  const { changes, answer } = answers[chosen]
  const runs = base.days.length
  return (
    <>
      {'problem' in answer ? (
        <p className="problem-list">{answer.problem}</p>
      ) : (
        <div className="fit-answer" aria-live="polite">
          <CopyField label={t('Answer')} text={whatIfSentence(changes, base, answer, since)} lines={2} />
          <p className="soft">{t('In the log: at most {most} at {name}.', { most: count(inLog), name })}</p>
          <ScenarioOut scenario={answer.scenario} opened={opened} />
        </div>
      )}
      <Table
        wide={t('The same day, with a change')}
        heads={[
          t('Change'),
          t('Longest queue at {name}', { name }),
          t('Longest queue'),
          t('Time in the system'),
          t('Better'),
        ]}
      >
        <tr>
          <th scope="row">{t('As it was')}</th>
          <Cells played={base} worst={worst} />
          <td />
        </tr>
        {answers.map((each, k) => {
          const label = changesName(each.changes, scenario)
          return (
            <tr key={label} className={k === chosen ? 'fit-chosen' : undefined}>
              <th scope="row">
                <Button className="link" aria-pressed={k === chosen} onClick={() => setChosen(k)} text={label} />
              </th>
              {'problem' in each.answer ? (
                <td colSpan={4}>{each.answer.problem}</td>
              ) : (
                <>
                  <Cells played={each.answer} worst={worst} />
                  <td>{t('{k} of {n}', { k: betterDays(base, each.answer), n: runs })}</td>
                </>
              )}
            </tr>
          )
        })}
      </Table>
    </>
  )
}

function Cells({ played, worst }: { readonly played: PlayedDays; readonly worst: number }) {
  const longest = worstStage(played)
  return (
    <>
      <td>{spreadText(peaksAt(played, worst), count)}</td>
      <td>
        {t('{most} at {name}', {
          most: count(peaksAt(played, longest).median),
          name: played.scenario.stages[longest].name,
        })}
      </td>
      <td>{spreadText(flowTimes(played), duration)}</td>
    </>
  )
}

/** Opens a scenario on the canvas, where undo restores the last one, or gives its link. */
export function ScenarioOut({ scenario, opened }: { readonly scenario: Scenario; opened(): void }) {
  const session = useSession()
  const fragment = useMemo(() => toShortFragment(scenario), [scenario])
  const open = () => {
    openScenario(session, scenario)
    opened()
  }
  return (
    <div className="fit-row">
      <Button onClick={open} text={t('Open on the canvas')} />
      {fragment.length <= MAX_SHORT ? (
        <CopyField label={t('Link')} text={linkTo(session.address, fragment)} />
      ) : (
        <span className="soft">{t('Too long for a link. Save it as a file.')}</span>
      )}
    </div>
  )
}

/** By kind of change: its name, and the label, start and bounds of its number. */
const kinds = {
  workers: { name: () => t('Workers'), label: () => t('More workers'), start: 1, min: -1000, max: 1000 },
  quicker: { name: () => t('Service time'), label: () => `${t('Quicker by')}, %`, start: 20, min: -500, max: 99 },
  capacity: {
    name: () => t('Queue'),
    label: () => t('At most waiting'),
    start: 100,
    min: 1,
    max: 1_000_000,
  },
} as const
type NumberKind = keyof typeof kinds

interface OwnProps {
  readonly scenario: Scenario
  readonly changes: readonly Change[]
  choose(changes: readonly Change[]): void
}

/** A form for up to six changes that are tried together. */
function OwnChanges({ scenario, changes, choose }: OwnProps) {
  const [kind, setKind] = useState<NumberKind | 'policy'>('workers')
  const [stage, setStage] = useState(0)
  const [policy, setPolicy] = useState<PolicyKind>('leastScore')
  const [amount, setAmount] = useState<number>(kinds.workers.start)
  const isValid =
    kind === 'policy' ||
    (Number.isInteger(amount) && amount !== 0 && amount >= kinds[kind].min && amount <= kinds[kind].max)
  const add = () => {
    const change = changeOf(kind, stage, amount, policy)
    // A stage has one change of a kind, and there is one policy.
    const others = changes.filter(
      (each) => each.kind !== kind || ('stage' in each && 'stage' in change && each.stage !== change.stage),
    )
    choose([...others, change])
  }
  return (
    <fieldset className="fit-own">
      <legend>{t('Your changes')}</legend>
      <div className="field-row">
        <label className="field">
          <span>{t('Change')}</span>
          <Select
            value={kind}
            options={[
              ...numberKinds.map((each) => [each, kinds[each].name()] as const),
              ['policy', t('Policy')] as const,
            ]}
            choose={(chosen) => {
              setKind(chosen)
              if (chosen !== 'policy') setAmount(kinds[chosen].start)
            }}
          />
        </label>
        {kind === 'policy' ? (
          <label className="field">
            <span>{t('Policy')}</span>
            <Select
              value={policy}
              options={menuKinds(sharingPolicies(), policy).map(
                (each) => [each, menuName(each, policies[each].name())] as const,
              )}
              choose={setPolicy}
            />
            {isMethod(policy) && (
              <Select aria-label={t('Method')} value={policy} options={methodOptions()} choose={setPolicy} />
            )}
          </label>
        ) : (
          <>
            <label className="field">
              <span>{t('Stage')}</span>
              <Select
                value={stage}
                options={scenario.stages.map(({ name }, s) => [s, name] as const)}
                choose={setStage}
              />
            </label>
            <label className="field">
              <span>{kinds[kind].label()}</span>
              <input
                type="number"
                min={kinds[kind].min}
                max={kinds[kind].max}
                value={Number.isNaN(amount) ? '' : amount}
                onChange={({ target }) => setAmount(target.valueAsNumber)}
              />
            </label>
          </>
        )}
        <Button onClick={add} disabled={!isValid || changes.length >= MAX_TOGETHER} text={t('Add the change')} />
      </div>
      {changes.length > 0 && (
        <ul className="fit-list">
          {changes.map((change) => {
            const name = changesName([change], scenario)
            return (
              <li key={name}>
                {name}{' '}
                <Button
                  className="link"
                  onClick={() => choose(changes.filter((each) => each !== change))}
                  aria-label={t('Remove {name}', { name })}
                  text={t('Remove')}
                />
              </li>
            )
          })}
        </ul>
      )}
    </fieldset>
  )
}

const numberKinds = Object.keys(kinds) as NumberKind[]

function changeOf(kind: NumberKind | 'policy', stage: number, amount: number, policy: PolicyKind): Change {
  if (kind === 'policy') return { kind, policy }
  if (kind === 'workers') return { kind, stage, more: amount }
  return kind === 'capacity' ? { kind, stage, capacity: amount } : { kind, stage, share: 1 - amount / 100 }
}
