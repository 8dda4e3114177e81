import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { rules } from '../allocation/rules.ts'
import { causesSentence } from '../measures/breakpointSentence.ts'
import type { Condition } from '../measures/breakpoints.ts'
import type { Verdict } from '../measures/verdicts.ts'
import { lineNumbers } from '../scenario/line.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { policies } from '../scheduler/policies.ts'
import { clock, count } from '../views/format.ts'
import { breakpointStore, type ConditionKind, changeCondition, MOST_JOBS, MOST_MOVES, switchCondition, toNextStop } from './breakpointStore.ts'
import { runStore } from './runStore.ts'
import { scenarioStore } from './scenarioStore.ts'
import { themeStore } from './theme.ts'
import { Words } from './Words.tsx'
import './stopWhen.css'

/** Who may be asked on the same votes. */
const asked = [...Object.keys(rules), 'hamilton'] as Verdict['rule'][]

/** What the playback stops for: a chip for each condition, a panel to choose them, and the way to the next instant that meets one. */
export function StopWhen() {
  const { conditions, on, searching } = useStore(breakpointStore)
  const run = useStore(runStore, (state) => state.run)
  const present = useStore(scenarioStore, (state) => state.scenario)
  const scenario = run?.scenario ?? present
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
    root.current?.querySelector<HTMLElement>('.stop-panel input')?.focus()
    const away = (event: PointerEvent) => {
      if (event.target instanceof Element && !root.current?.contains(event.target)) setOpen(false)
    }
    addEventListener('pointerdown', away)
    return () => removeEventListener('pointerdown', away)
  }, [open])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape belongs to what is inside
    <div
      className="stop-when"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        setOpen(false)
        button.current?.focus()
      }}
    >
      {on.map((kind) => (
        <button
          key={kind}
          type="button"
          className="chip"
          title="No longer break for this"
          aria-label={`No longer break when ${chipText(conditions[kind], scenario)}`}
          onClick={() => {
            switchCondition(kind, false)
            button.current?.focus()
          }}
        >
          {chipText(conditions[kind], scenario)} <span aria-hidden="true">×</span>
        </button>
      ))}
      {on.length > 0 && (
        <button
          type="button"
          className="button small"
          disabled={run === null || searching}
          title="To the next instant that meets one of these (n)"
          onClick={toNextStop}
        >
          {searching ? 'Looking…' : 'Next break'}
        </button>
      )}
      <button ref={button} type="button" className="button small" aria-haspopup="dialog" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        Break when…
      </button>
      {open && (
        <div className="stop-panel" role="dialog" aria-label="Break when" id={id}>
          <h2>Break the playback when</h2>
          <Line kind="deserted">
            <StageChoice
              scenario={scenario}
              stage={conditions.deserted.stage}
              label="Which stage loses its last worker"
              choose={(stage) => set({ kind: 'deserted', stage })}
            />{' '}
            loses its last worker
          </Line>
          <Line kind="queue">
            more than{' '}
            <WholeNumber label="Jobs waiting" value={conditions.queue.above} min={0} max={MOST_JOBS} change={(above) => set({ ...conditions.queue, above })} />{' '}
            wait at{' '}
            <StageChoice scenario={scenario} stage={conditions.queue.stage} label="Where they wait" choose={(stage) => set({ ...conditions.queue, stage })} />
          </Line>
          <Line kind="disagree">
            <select
              aria-label="Which rule disagrees"
              value={conditions.disagree.rule}
              onChange={({ target }) => {
                const rule = target.value as Verdict['rule']
                set({ kind: 'disagree', rule, power: rule === 'power' ? 2 : 1 })
              }}
            >
              {asked.map((rule) => (
                <option key={rule} value={rule}>
                  {ruleText(rule)}
                </option>
              ))}
            </select>{' '}
            would seat them otherwise
          </Line>
          <Line kind="moves">
            a worker changes stage{' '}
            <WholeNumber label="Changes of stage" value={conditions.moves.times} min={1} max={MOST_MOVES} change={(times) => set({ kind: 'moves', times })} />{' '}
            times in a second
          </Line>
        </div>
      )}
    </div>
  )
}

/** Why the playback has stopped; heard when it changes. */
export function StoppedLine() {
  const stopped = useStore(breakpointStore, (state) => state.stopped)
  const { run, playing } = useStore(runStore)
  useStore(themeStore)
  const shown = stopped !== null && stopped.run === run && !playing ? stopped : null
  return (
    <p className="stopped" aria-live="polite">
      {shown === null ? null : shown.hit === null ? (
        'There is no later stop.'
      ) : (
        <>
          Stopped at {clock(shown.hit.time)}: <Words parts={causesSentence(shown.run.scenario, shown.hit.causes, ({ rule }) => ruleText(rule))} />
        </>
      )}
    </p>
  )
}

/** Whoever sets what a condition asks for wants it. */
function set(condition: Condition): void {
  changeCondition(condition)
  switchCondition(condition.kind, true)
}

function Line({ kind, children }: { readonly kind: ConditionKind; readonly children: ReactNode }) {
  const on = useStore(breakpointStore, (state) => state.on.includes(kind))
  return (
    <div className="stop-line">
      <input type="checkbox" aria-label={names[kind]} checked={on} onChange={({ target }) => switchCondition(kind, target.checked)} />
      <span>{children}</span>
    </div>
  )
}

const names: Readonly<Record<ConditionKind, string>> = {
  deserted: 'A stage loses its last worker',
  queue: 'A queue passes a length',
  disagree: 'Another rule would seat them otherwise',
  moves: 'A worker changes stage often',
}

interface StageChoiceProps {
  readonly scenario: Scenario
  readonly stage: number | null
  readonly label: string
  choose(stage: number | null): void
}

function StageChoice({ scenario, stage, label, choose }: StageChoiceProps) {
  return (
    <select
      aria-label={label}
      value={stage !== null && stage < scenario.stages.length ? stage : ''}
      onChange={({ target }) => choose(target.value === '' ? null : Number(target.value))}
    >
      <option value="">any stage</option>
      {lineNumbers(scenario).map((s) => (
        <option key={s} value={s}>
          {scenario.stages[s].name}
        </option>
      ))}
    </select>
  )
}

interface WholeNumberProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  change(value: number): void
}

/** Takes effect as soon as it is a whole number within its bounds. */
function WholeNumber({ label, value, min, max, change }: WholeNumberProps) {
  const [text, setText] = useState(String(value))
  const wrong = problem(text, min, max)
  return (
    <input
      type="number"
      inputMode="numeric"
      aria-label={label}
      aria-invalid={wrong}
      title={wrong ? `A whole number from ${count(min)} to ${count(max)}` : undefined}
      min={min}
      max={max}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        if (!problem(target.value, min, max)) change(Number(target.value))
      }}
    />
  )
}

function problem(text: string, min: number, max: number): boolean {
  const n = Number(text)
  return text.trim() === '' || !Number.isInteger(n) || n < min || n > max
}

function chipText(condition: Condition, { stages }: Scenario): string {
  const at = (stage: number | null) => (stage !== null && stage < stages.length ? stages[stage].name : 'any stage')
  switch (condition.kind) {
    case 'deserted':
      return `${at(condition.stage)} loses its last worker`
    case 'queue':
      return `more than ${count(condition.above)} wait at ${at(condition.stage)}`
    case 'disagree':
      return `${ruleText(condition.rule)} would differ`
    case 'moves':
      return `${condition.times} moves in 1 s`
  }
}

function ruleText(rule: Verdict['rule']): string {
  return rule === 'power' ? `${policies.power.name} 2` : policies[rule].name
}
