import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { rules } from '../../../allocation/rules.ts'
import { t } from '../../../language/translate.ts'
import { type BreakCause, type Condition, causesSentence } from '../../../measures/decisions/breakpoints.ts'
import type { RuleComparison } from '../../../measures/decisions/ruleComparison.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { wholeText } from '../../../scenario/parse/shape.ts'
import { Select } from '../../base/controls/Select.tsx'
import { themeStore } from '../../base/page/theme.ts'
import { ColouredText } from '../../base/ui/ColouredText.tsx'
import { Translated } from '../../base/ui/Translated.tsx'
import { ruleName } from '../../base/words/ruleName.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import {
  breakpointStore,
  type ConditionKind,
  changeCondition,
  MAX_MOVES,
  MAX_WAITING,
  switchCondition,
} from './breakpointStore.ts'

const comparable = [...Object.keys(rules), 'hamilton'] as RuleComparison['rule'][]

const powerOf = (rule: RuleComparison['rule']) => (rule === 'power' ? 2 : 1)

export function BreakPanel({ id, scenario }: { readonly id: string; readonly scenario: Scenario }) {
  const session = useSession()
  const { conditions } = useStore(breakpointStore(session))
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    panel.current?.querySelector('input')?.focus()
    // On a narrow page the panel may open below the fold.
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={panel} className="break-panel" role="dialog" aria-label={t('Pause when')} id={id}>
      <h2>{t('Pause when')}</h2>
      <Line kind="deserted" name={t('A stage loses its last worker')}>
        <Translated
          text="<stage></stage> loses its last worker"
          tags={{
            stage: () => <StageChoice scenario={scenario} condition={conditions.deserted} label={t('Stage')} />,
          }}
        />
      </Line>
      <Line kind="queue" name={t('A queue passes a length')}>
        <Translated
          text="more than <jobs></jobs> wait at <stage></stage>"
          tags={{
            jobs: () => {
              const change = (above: number) => set(session, { ...conditions.queue, above })
              return (
                <WholeNumber
                  label={t('Jobs waiting')}
                  value={conditions.queue.above}
                  min={0}
                  max={MAX_WAITING}
                  change={change}
                />
              )
            },
            stage: () => <StageChoice scenario={scenario} condition={conditions.queue} label={t('Stage')} />,
          }}
        />
      </Line>
      <Line kind="disagree" name={t('Another policy would choose other targets')}>
        <Translated
          text="<rule></rule> would choose other targets"
          tags={{
            rule: () => (
              <Select
                aria-label={t('Policy')}
                value={conditions.disagree.rule}
                options={comparable.map((rule) => [rule, ruleName({ rule, power: powerOf(rule) })])}
                choose={(rule) => set(session, { kind: 'disagree', rule, power: powerOf(rule) })}
              />
            ),
          }}
        />
      </Line>
      <Line kind="moves" name={t('A worker changes stage often')}>
        <Translated
          text="a worker changes stage <times></times> times in a second"
          tags={{
            times: () => {
              const change = (times: number) => set(session, { kind: 'moves', times })
              return (
                <WholeNumber
                  label={t('Changes of stage')}
                  value={conditions.moves.times}
                  min={1}
                  max={MAX_MOVES}
                  change={change}
                />
              )
            },
          }}
        />
      </Line>
    </div>
  )
}

function set(session: Session, condition: Condition): void {
  changeCondition(session, condition)
  switchCondition(session, condition.kind, true)
}

function Line({
  kind,
  name,
  children,
}: {
  readonly kind: ConditionKind
  readonly name: string
  readonly children: ReactNode
}) {
  const session = useSession()
  const on = useStore(breakpointStore(session), (state) => state.on.includes(kind))
  return (
    <div className="break-line">
      <input
        type="checkbox"
        aria-label={name}
        checked={on}
        onChange={({ target }) => switchCondition(session, kind, target.checked)}
      />
      <span>{children}</span>
    </div>
  )
}

const ANY = -1

type StageCondition = Extract<Condition, { readonly stage: number | null }>

function StageChoice({
  scenario,
  condition,
  label,
}: {
  readonly scenario: Scenario
  readonly condition: StageCondition
  readonly label: string
}) {
  const session = useSession()
  const { stage } = condition
  return (
    <Select
      aria-label={label}
      value={stage !== null && stage < scenario.stages.length ? stage : ANY}
      options={[[ANY, t('any stage')], ...stageNumbers(scenario).map((s) => [s, scenario.stages[s].name] as const)]}
      choose={(s) => set(session, { ...condition, stage: s === ANY ? null : s })}
    />
  )
}

type WholeNumberProps = {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  change(value: number): void
}

/** A field that takes effect as soon as it holds a whole number within its bounds. */
function WholeNumber({ label, value, min, max, change }: WholeNumberProps) {
  const [text, setText] = useState(String(value))
  const wrong = problem(text, min, max)
  return (
    <input
      type="number"
      inputMode="numeric"
      aria-label={label}
      aria-invalid={wrong}
      title={wrong ? wholeText(min, max) : undefined}
      min={min}
      max={max}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        if (!problem(target.value, min, max)) change(target.valueAsNumber)
      }}
    />
  )
}

function problem(text: string, min: number, max: number): boolean {
  const n = Number(text)
  return text.trim() === '' || !Number.isInteger(n) || n < min || n > max
}

export function Causes({ scenario, causes }: { readonly scenario: Scenario; readonly causes: readonly BreakCause[] }) {
  useStore(themeStore)
  return <ColouredText parts={causesSentence(scenario, causes, ruleName)} />
}
