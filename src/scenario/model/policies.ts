import { isolated, t } from '../../language/translate.ts'
import { elasticPolicies, knownPools } from './elasticPolicies.ts'
import { methods } from './methods.ts'
import { type Param, type PolicyDescription, paramsIn, type ValuesOf } from './params.ts'

/** The code that a form begins with: the least total time, seat by seat. */
export const leastTotalTimeCode = `// Each seat goes where it saves the most waiting time: waiting x mean / ((seats + 1) (seats + 2)).
export default function allocate(view) {
  const seats = view.stages.map(() => 0)
  const open = view.stages.map((stage, s) => ({ ...stage, s })).filter((stage) => !stage.done)
  open.sort((a, b) => (a.id < b.id ? -1 : 1))
  for (let n = 0; n < view.workers && open.length > 0; n++) {
    let best = open[0]
    for (const stage of open) if (gain(stage, seats) > gain(best, seats)) best = stage
    seats[best.s]++
  }
  return seats
}

function gain({ waiting, mean, s }, seats) {
  return (waiting * mean) / ((seats[s] + 1) * (seats[s] + 2))
}
`

const MAX_POWER = 64
const MAX_HOPS = 8

/** Every policy, described once, for checks, links and forms. Seats: allocation/rules.ts (divisor rules), scheduler/policies.ts (others). */
export const policies = {
  leastScore: { name: () => t('Least total time'), group: 'rules', link: 0, lends: true, askable: true },
  ...methods,
  power: {
    name: () => t('Power'),
    group: 'rules',
    link: 11,
    lends: true,
    askable: true,
    params: {
      p: {
        is: 'whole',
        min: 1,
        max: MAX_POWER,
        byDefault: 2,
        label: () => t('Power'),
        hint: () => t('1: least total time; {MAX_POWER}: nearly Jefferson', { MAX_POWER }),
        slider: [1, MAX_POWER],
      },
    },
  },
  proportional: { name: () => t('Proportional'), group: 'rules', link: 12, lends: true, askable: true },
  longestQueue: { name: () => t('Longest queue'), group: 'queues', link: 13, lends: true, askable: true },
  backpressure: { name: () => t('Backpressure'), group: 'queues', link: 14, lends: true },
  sinkFirst: { name: () => t('Nearest the sink first'), group: 'queues', link: 15, lends: true },
  /** The least total time of the waiting jobs and of those in service upstream; see pipeline/outlook.ts. */
  preallocate: {
    name: () => t('Preallocate'),
    group: 'ahead',
    link: 21,
    lends: true,
    params: {
      hops: {
        is: 'whole',
        min: 1,
        max: MAX_HOPS,
        byDefault: 1,
        label: () => t('Stages upstream'),
        hint: () => t('1: the stages directly before'),
        slider: [1, MAX_HOPS],
      },
    },
  },
  /** The least total time, but a seat moves only if that pays; see allocation/switchAware.ts. */
  switchAware: {
    name: () => t('Switch-aware'),
    group: 'ahead',
    link: 22,
    lends: true,
    params: {
      horizon: {
        is: 'micros',
        min: 1,
        byDefault: 1_000_000,
        label: () => t('Horizon'),
        hint: () => t('A move must pay within it'),
      },
    },
  },
  /** The least total time, weighted by age as in M-LWDF (Andrews et al. 2000); see pipeline/outlook.ts. */
  deadline: {
    name: () => t('Deadline'),
    group: 'ahead',
    link: 23,
    lends: true,
    params: {
      due: {
        is: 'micros',
        min: 1,
        byDefault: 100_000,
        label: () => t('Due within'),
        hint: () => t('At this age votes count twice'),
      },
    },
  },
  onePerStage: { name: () => t('One per stage'), group: 'fixed', link: 4, lends: false },
  fixed: {
    name: () => t('Fixed'),
    group: 'fixed',
    link: 5,
    lends: false,
    params: { allocation: { is: 'allocation' } },
  },
  single: { name: () => t('One worker does it all'), group: 'fixed', link: 6, lends: false },
  /** Each worker carries a batch of jobs through all stages; see scheduler/carrying.ts. */
  perJob: { name: () => t('Worker per job'), group: 'fixed', link: 27, lends: false, carries: true },
  ...elasticPolicies,
  ...knownPools,
  /** Blumofe and Leiserson 1999: each worker has a deque of its own; see scheduler/stealing.ts. */
  workStealing: {
    name: () => t('Work stealing'),
    group: 'known',
    link: 33,
    lends: false,
    carries: true,
    params: {
      steal: {
        is: 'choice',
        byDefault: 'half',
        options: { one: { name: () => t('one job') }, half: { name: () => t('half') } },
      },
    },
  },
  /** The user chose the seats of each decision, counted from the start of the policy. After the last one, the least total time decides. */
  byHand: {
    name: () => t('By hand'),
    group: 'fixed',
    menuAfter: 'fixed',
    link: 19,
    lends: true,
    params: { allocations: { is: 'allocations', byDefault: [] } },
  },
  /** Code that runs in a sandbox; see `features/code/sandbox`. */
  code: {
    name: () => t('Your own code'),
    group: 'own',
    link: 20,
    lends: true,
    params: {
      name: { is: 'text', byDefault: '', label: () => t('Name') },
      source: { is: 'code', start: leastTotalTimeCode, label: () => t('Code') },
    },
  },
} satisfies Readonly<Record<string, PolicyDescription>>

type Table = typeof policies
type PolicyKey = keyof Table
type ParamsOf<D> = D extends { readonly params: infer P } ? ValuesOf<P> : object

/** The policies as written in a scenario, without `lend`. */
export type DescribedPolicy = { [K in PolicyKey]: { readonly kind: K } & ParamsOf<Table[K]> }[PolicyKey]
/** Policies that hire and dismiss workers themselves. */
export type ElasticKind = keyof typeof elasticPolicies | KnownKind
/** Those of known systems. */
export type KnownKind = keyof typeof knownPools
export type AskableKind = { [K in PolicyKey]: Table[K] extends { readonly askable: true } ? K : never }[PolicyKey]

export const policyKinds = Object.keys(policies) as PolicyKey[]

/** Their order is that of the table. */
export const askable = policyKinds.filter((kind) => 'askable' in policies[kind]) as AskableKind[]

/** Returns the name of a policy: the one that its author gave, or the one in the table. */
export function policyName(policy: DescribedPolicy): string {
  const own = 'name' in policy ? policy.name.trim() : ''
  return own === '' ? policies[policy.kind].name() : isolated(own)
}

/** Returns the name of a kind of policy; for the kind of `own`, the name of `own`. */
export function kindName(kind: PolicyKey, own: DescribedPolicy): string {
  return kind === own.kind ? policyName(own) : policies[kind].name()
}

/** Returns the parameters of a policy by key. */
export function paramsOf(kind: PolicyKey): readonly (readonly [key: string, param: Param])[] {
  return paramsIn(policies[kind])
}

/** The parameters that a form begins with; those without a start or a default are missing. */
export function startingParams<K extends PolicyKey>(kind: K): ParamsOf<Table[K]> {
  const values = paramsOf(kind).map(([key, param]) => [key, 'start' in param ? param.start : param.byDefault] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ParamsOf<Table[K]>
}

/** The kinds at the top of menus. */
const firstKinds: readonly PolicyKey[] = ['leastScore', 'onePerStage', 'single', 'sinkFirst', 'fixed']

/** The policies under their headings, for menus. */
export const policyGroups: readonly { readonly title: () => string; readonly kinds: readonly PolicyKey[] }[] = [
  { title: () => t('To begin with'), kinds: firstKinds },
  { title: () => t('Apportioning policies'), kinds: kindsOf('rules') },
  { title: () => t('Queue policies'), kinds: kindsOf('queues') },
  { title: () => t('Looking ahead'), kinds: kindsOf('ahead') },
  { title: () => t('Elastic pools'), kinds: kindsOf('elastic') },
  { title: () => t('Known systems'), kinds: kindsOf('known') },
  { title: () => t('Fixed'), kinds: kindsOf('fixed') },
  { title: () => t('Custom'), kinds: kindsOf('own') },
]

function kindsOf(group: PolicyDescription['group']): PolicyKey[] {
  const rows: [PolicyKey, PolicyDescription][] = policyKinds.map((kind) => [kind, policies[kind]])
  const own = rows.filter(([kind, row]) => row.group === group && !firstKinds.includes(kind))
  const stands = (kind?: string) => own.some(([each]) => each === kind)
  const after = (kind?: PolicyKey) =>
    own.flatMap(([each, { menuAfter }]) => ((stands(menuAfter) ? menuAfter : undefined) === kind ? [each] : []))
  return after().flatMap((kind) => [kind, ...after(kind)])
}
