import * as v from 'valibot'
import { t } from '../../language/translate.ts'
import { elasticDefaults, partDefaults } from '../model/defaults.ts'
import * as limit from '../model/limits.ts'
import type { PolicyKind } from '../model/scenario.ts'
import { boolean, byStage, micros } from './schemaParts.ts'
import { checkByKind, checkList, checkWhole, defaulted, type Entries, real, value } from './shape.ts'

/** Who works where: the policies, each with its own keys. */

const never = value<false>(
  (x) => x === false,
  () => t('false, or leave it out: a pinned policy keeps every worker at its own stage'),
  { enum: [false] },
)
const lends = { lend: defaulted(boolean, true) }
const pinned = { lend: defaulted(never, false) }
const every = micros(limit.MIN_EVERY)
const gain = real(0, limit.MAX_GAIN)
/** Adding 0 makes -0 a 0, as which it comes back from a link. */
const output = v.pipe(
  real(-limit.MAX_OUTPUT, limit.MAX_OUTPUT),
  v.transform((x) => x + 0),
)
const most = v.nullable(checkWhole(1, limit.MAX_WORKERS))

const policies = {
  leastScore: lends,
  exhaustive: lends,
  jefferson: lends,
  webster: lends,
  huntingtonHill: lends,
  adams: lends,
  dean: lends,
  hamilton: lends,
  power: { p: defaulted(checkWhole(1, limit.MAX_POWER), partDefaults.power), ...lends },
  proportional: lends,
  longestQueue: lends,
  backpressure: lends,
  sinkFirst: lends,
  onePerStage: pinned,
  fixed: { allocation: byStage(checkWhole(0, limit.MAX_WORKERS), () => t('a number of workers')), ...pinned },
  single: pinned,
  greenThreads: { perStage: defaulted(checkWhole(1, limit.MAX_WORKERS), partDefaults.perStage), ...pinned },
  pid: {
    kp: gain,
    ki: gain,
    kd: gain,
    every,
    setpoint: real(0, limit.MAX_JOBS, () => t(' of jobs')),
    up: output,
    down: output,
    max: defaulted(most, elasticDefaults.max),
    clamp: defaulted(v.nullable(real(0, limit.MAX_OUTPUT)), elasticDefaults.clamp),
    ...pinned,
  },
  threshold: {
    high: checkWhole(0, limit.MAX_JOBS),
    idle: micros(0),
    every,
    max: defaulted(most, elasticDefaults.max),
    ...pinned,
  },
  byHand: {
    allocations: defaulted(checkList(checkList(checkWhole(0, limit.MAX_WORKERS), limit.MAX_STAGES), limit.MAX_BY_HAND), partDefaults.allocations),
    ...lends,
  },
} satisfies Record<PolicyKind, Entries>

/** Every policy by its word. */
export const policyKinds = Object.keys(policies) as PolicyKind[]

export const policy = checkByKind(() => t('an object that names a policy'), policies)
