import { isolated, t } from '../../language/translate.ts'
import { elasticPolicies, knownPools } from './elasticPolicies.ts'
import { apportions, methods } from './methods.ts'
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

const queues = { group: 'queues', lends: true } as const
const looksAhead = { group: 'ahead', lends: true } as const
const pinned = { group: 'fixed', lends: false } as const

/** Every policy, described once, for checks, links and forms. Seats: allocation/rules.ts (divisor rules), scheduler/policies.ts (others). */
export const policies = {
  leastScore: { ...apportions, name: () => t('Least total time'), link: 0 },
  ...methods,
  power: {
    ...apportions,
    name: () => t('Power'),
    link: 11,
    params: {
      p: {
        is: 'whole',
        min: 1,
        max: MAX_POWER,
        byDefault: 2,
        label: () => t('Power'),
        slider: [1, MAX_POWER],
      },
    },
  },
  proportional: { ...apportions, name: () => t('Proportional'), link: 12 },
  longestQueue: { ...queues, name: () => t('Longest queue'), link: 13, askable: true },
  backpressure: { ...queues, name: () => t('Backpressure'), link: 14 },
  sinkFirst: { ...queues, name: () => t('Nearest the sink first'), link: 15 },
  /** The least total time of the waiting jobs and of those in service upstream; see pipeline/outlook.ts. */
  preallocate: {
    ...looksAhead,
    name: () => t('Preallocate'),
    link: 21,
    params: {
      hops: {
        is: 'whole',
        min: 1,
        max: MAX_HOPS,
        byDefault: 1,
        label: () => t('Stages upstream'),
        slider: [1, MAX_HOPS],
      },
    },
  },
  /** The least total time, but a seat moves only if that pays; see allocation/switchAware.ts. */
  switchAware: {
    ...looksAhead,
    name: () => t('Switch-aware'),
    link: 22,
    params: {
      horizon: {
        is: 'micros',
        min: 1,
        byDefault: 1_000_000,
        label: () => t('Horizon'),
      },
    },
  },
  /** The least total time, weighted by age as in M-LWDF (Andrews et al. 2000); see pipeline/outlook.ts. */
  deadline: {
    ...looksAhead,
    name: () => t('Deadline'),
    link: 23,
    params: {
      due: {
        is: 'micros',
        min: 1,
        byDefault: 100_000,
        label: () => t('Due within'),
      },
    },
  },
  onePerStage: { ...pinned, name: () => t('One per stage'), link: 4 },
  fixed: { ...pinned, name: () => t('Fixed'), link: 5, params: { allocation: { is: 'allocation' } } },
  single: { ...pinned, name: () => t('One worker does it all'), link: 6 },
  /** Each worker carries a batch of jobs through all stages; see scheduler/carrying.ts. */
  perJob: { ...pinned, name: () => t('Worker per job'), link: 27, carries: true },
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
  return policyKinds.filter((kind) => policies[kind].group === group && !firstKinds.includes(kind))
}
