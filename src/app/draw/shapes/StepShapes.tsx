import { t } from '../../../language/translate.ts'
import { setSource } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { DurationField, NumberField, SelectField } from '../../base/forms/fields.tsx'
import { type Drawable, type RatePoint, type StepShape, stepShapeOf, stepsOf } from './drawnRate.ts'

type Made = Exclude<StepShape, { kind: 'hand' }>
type Square = Extract<StepShape, { kind: 'square' }>
type Step = Extract<StepShape, { kind: 'step' }>

const kinds = (): readonly (readonly [StepShape['kind'], string])[] => [
  ['square', t('Square: on and off')],
  ['step', t('One step')],
  ['hand', t('By hand')],
]
const MOST_ROUNDS = 10_000

/** Fields for steps described by a few numbers: a square wave, or one step. */
export function StepShapes({ source }: { readonly source: Extract<Drawable, { kind: 'steps' }> }) {
  const shape = stepShapeOf(source.at)
  return (
    <>
      <SelectField label={t('Shape')} path="source.at" value={shape.kind} options={kinds()} change={toKind} />
      {shape.kind === 'square' && <SquareFields shape={shape} />}
      {shape.kind === 'step' && <StepFields shape={shape} />}
    </>
  )
}

function SquareFields({ shape }: { readonly shape: Square }) {
  return (
    <>
      <NumberField label={t('Low')} unit={t('/s')} path="source.at" by={10} value={shape.low} change={(before, low) => withShape(before, 'square', { low })} />
      <NumberField
        label={t('High')}
        unit={t('/s')}
        path="source.at"
        by={10}
        value={shape.high}
        change={(before, high) => withShape(before, 'square', { high })}
      />
      <DurationField label={t('Low lasts')} path="source.at" value={shape.lowFor} change={(before, lowFor) => withShape(before, 'square', { lowFor })} />
      <DurationField label={t('High lasts')} path="source.at" value={shape.highFor} change={(before, highFor) => withShape(before, 'square', { highFor })} />
      <NumberField
        label={t('Rounds')}
        path="source.at"
        value={shape.rounds}
        change={(before, rounds) => withShape(before, 'square', { rounds: roundsWithin(rounds) })}
      />
    </>
  )
}

function StepFields({ shape }: { readonly shape: Step }) {
  return (
    <>
      <NumberField
        label={t('Before')}
        unit={t('/s')}
        path="source.at"
        by={10}
        value={shape.before}
        change={(prior, before) => withShape(prior, 'step', { before })}
      />
      <NumberField
        label={t('After')}
        unit={t('/s')}
        path="source.at"
        by={10}
        value={shape.after}
        change={(prior, after) => withShape(prior, 'step', { after })}
      />
      <DurationField label={t('After so long')} path="source.at" value={shape.from} change={(prior, from) => withShape(prior, 'step', { from })} />
    </>
  )
}

/** Returns a number of rounds within bounds. One round is a step, two are a square wave. */
function roundsWithin(rounds: number): number {
  return Math.min(MOST_ROUNDS, Math.max(2, Math.round(rounds) || 2))
}

function withShape(scenario: Scenario, kind: Made['kind'], patch: Partial<Square> | Partial<Step>): Scenario {
  const { source } = scenario
  if (source.kind !== 'steps') return scenario
  const shape = stepShapeOf(source.at)
  return shape.kind === kind ? setSource(scenario, stepsOf({ ...shape, ...patch } as Made)) : scenario
}

/** Returns the scenario with another shape of about the same rates and times. */
function toKind(scenario: Scenario, kind: StepShape['kind']): Scenario {
  const { source } = scenario
  if (source.kind !== 'steps' || stepShapeOf(source.at).kind === kind) return scenario
  const rates = source.at.map(([, rate]) => rate)
  const [low, most] = [Math.min(...rates), Math.max(...rates)]
  const high = most > low ? most : Math.max(1, 2 * most)
  const last = source.at[source.at.length - 1][0]
  const each = Math.max(1000, Math.round(last / Math.max(1, source.at.length - 1) / 1000) * 1000 || 1_000_000)
  if (kind === 'square') return setSource(scenario, stepsOf({ kind, low, high, lowFor: each, highFor: each, rounds: 4 }))
  if (kind === 'step') return setSource(scenario, stepsOf({ kind, before: low, after: high, from: 2 * each }))
  // A step has two corners. A third one makes it steps by hand.
  const at: readonly RatePoint[] = source.at.length === 2 ? [...source.at, [2 * source.at[1][0] + 1000, source.at[0][1] || 1]] : source.at.slice(0, -1)
  return setSource(scenario, { ...source, at })
}
