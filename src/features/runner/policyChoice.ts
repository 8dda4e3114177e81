import { type Kinds, paramsIn } from '../../scenario/model/params.ts'
import { policies } from '../../scenario/model/policies.ts'
import type { Policy, PolicyKind } from '../../scenario/model/scenario.ts'
import type { DecideSeats } from './decide.ts'

/** The policies by name: first the default and what is most used with own functions, those of known systems last. */
export const policyNames = [
  'leastScore',
  'switchAware',
  'perJob',
  'workStealing',
  'preallocate',
  'deadline',
  'longestQueue',
  'sinkFirst',
  'backpressure',
  'proportional',
  'onePerStage',
  'single',
  'power',
  'jefferson',
  'webster',
  'huntingtonHill',
  'adams',
  'dean',
  'hamilton',
  'threshold',
  'aimd',
  'pid',
  'adaptive',
  'predictive',
  'rayData',
  'hpa',
  'seda',
  'xenna',
  'flinkAutoscaler',
] as const satisfies readonly PolicyKind[]

/** A policy by name, as a function that returns the seats of each stage in the order of the stages, or by its kind with its parameters. */
export type PolicyChoice =
  | (typeof policyNames)[number]
  | DecideSeats
  | Choice<Exclude<Policy, { readonly kind: 'code' }>>
/** A parameter that is left out begins as in the form of the page; only an allocation must be given. */
type Choice<P> = P extends Policy ? Pick<P, 'kind' | Extract<keyof P, 'allocation'>> & Partial<P> : never

/** Returns the policy of a scenario, and adds one that is a function to `known`. */
export function policyOf(choice: PolicyChoice, known: Map<string, DecideSeats>): object {
  if (typeof choice === 'string') return { kind: choice, ...startsOf(choice) }
  if (typeof choice !== 'function') return { ...startsOf(choice.kind), ...choice }
  const source = `export default ${String(choice)}`
  known.set(source, choice)
  return { kind: 'code', name: choice.name.slice(0, 40), source, lend: true }
}

/** Returns the values with which a form begins, of the parameters that must be given. */
function startsOf(kind: PolicyKind): object {
  const all: Kinds = policies
  const starts = paramsIn(all[kind]).filter(([, param]) => param.byDefault === undefined && 'start' in param)
  return Object.fromEntries(starts.map(([key, param]) => [key, (param as { readonly start: unknown }).start]))
}
