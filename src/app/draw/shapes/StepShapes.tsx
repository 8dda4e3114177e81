import { t } from '../../../language/translate.ts'
import { setSource } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { type Bound, inside, shownAs } from '../../base/forms/bound.ts'
import { DurationField, NumberField, SelectField } from '../../base/forms/fields.tsx'
import { type Drawable, type RatePoint, type StepShape, stepShapeOf, stepsOf } from './drawnRate.ts'

const kinds = (): readonly (readonly [StepShape['kind'], string])[] => [
  ['square', t('Square: on and off')],
  ['step', t('One step')],
  ['hand', t('By hand')],
]
const MAX_ROUNDS = 10_000

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

function SquareFields({ shape }: { readonly shape: Extract<StepShape, { kind: 'square' }> }) {
  return (
    <>
      <NumberField label={t('Low')} unit={t('/s')} by={10} {...shapeBound(shape, 'low')} />
      <NumberField label={t('High')} unit={t('/s')} by={10} {...shapeBound(shape, 'high')} />
      <DurationField label={t('Low lasts')} {...shapeBound(shape, 'lowFor')} />
      <DurationField label={t('High lasts')} {...shapeBound(shape, 'highFor')} />
      <NumberField label={t('Rounds')} {...shownAs(shapeBound(shape, 'rounds'), (rounds) => rounds, roundsWithin)} />
    </>
  )
}

function StepFields({ shape }: { readonly shape: Extract<StepShape, { kind: 'step' }> }) {
  return (
    <>
      <NumberField label={t('Before')} unit={t('/s')} by={10} {...shapeBound(shape, 'before')} />
      <NumberField label={t('After')} unit={t('/s')} by={10} {...shapeBound(shape, 'after')} />
      <DurationField label={t('After so long')} {...shapeBound(shape, 'from')} />
    </>
  )
}

/** Returns a number that the steps are made of. Its problems are those of the steps. */
function shapeBound<S extends Exclude<StepShape, { kind: 'hand' }>, K extends keyof S & string>(shape: S, key: K): Bound<S[K]> {
  const path = 'source.at'
  return { ...inside({ path, value: shape, change: (scenario, next) => setSource(scenario, stepsOf(next)) }, key), path }
}

/** Returns a number of rounds within bounds. One round is a step, two are a square wave. */
function roundsWithin(rounds: number): number {
  return Math.min(MAX_ROUNDS, Math.max(2, Math.round(rounds) || 2))
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
