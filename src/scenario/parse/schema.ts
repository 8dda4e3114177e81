import * as v from 'valibot'
import { t } from '../../language/translate.ts'
import { branchDefaults, partDefaults, scenarioDefaults, stageDefaults } from '../model/defaults.ts'
import { distributions } from '../model/distributions.ts'
import * as limit from '../model/limits.ts'
import {
  disciplines,
  kernelNames,
  type Resource,
  type Service,
  type Source,
  type Work,
  workerEventKinds,
} from '../model/scenario.ts'
import { sources } from '../model/sources.ts'
import { listed, objectText } from '../model/words.ts'
import {
  boolean,
  byStage,
  checkName,
  checkPolicy,
  checkTable,
  id,
  idPattern,
  micros,
  withoutMinusZero,
  workerCount,
} from './schemaParts.ts'
import {
  type Check,
  checkByKind,
  checkList,
  checkOneOf,
  checkPair,
  checkRecord,
  checkText,
  checkWhole,
  defaulted,
  type Entries,
  formed,
  optional,
  orNull,
  real,
  recordReader,
  value,
} from './shape.ts'

const end = value<string>({ type: 'string', pattern: idPattern.source }, () =>
  t('the id of a stage, "source" or "sink"'),
)

const policy = checkPolicy()
const service = checkTable<Service>(distributions)
const noPatience = value<Service>({ type: 'object' }, () => t('microseconds or a distribution'))
const patience = Object.assign(
  formed(
    v.lazy(
      (input): Check<Service> =>
        typeof input === 'number' ? constantService : Object(input) === input ? service : noPatience,
    ),
    { anyOf: [micros(1), service] },
  ),
  { message: (noPatience as { readonly message?: unknown }).message },
)
const constantService: Check<Service> = v.pipe(
  micros(1),
  v.transform((mean): Service => ({ kind: 'constant', mean })),
)
const retry = checkRecord({
  after: patience,
  limit: defaulted(checkWhole(0, limit.MAX_RETRIES), partDefaults.retry.limit),
  backoff: defaulted(micros(0), partDefaults.retry.backoff),
})
const weight = real(limit.MIN_WEIGHT, limit.MAX_WEIGHT)
const ofEverySource = { retry: optional(retry), classes: optional(checkList(weight, limit.MAX_CLASSES, 2)) }
const source = checkTable<Source>(sources, () => ofEverySource)

const position = withoutMinusZero(real(-limit.MAX_POSITION, limit.MAX_POSITION))

const route = checkRecord({ route: byStage(weight) })
const copy = value<'copy'>({ enum: ['copy'] }, () => listed(['copy', objectText(['route'])], 'or'))
const fanOut = formed(
  v.lazy((input): Check<'copy' | { route: Map<string, number> }> => (Object(input) === input ? route : copy)),
  { anyOf: [copy, route] },
)

const changes = checkList(checkRecord({ from: checkWhole(0, limit.MAX_JOBS), service }))

const works = checkOneOf(['burn', 'wait', ...kernelNames], ['tokenise'])
const ownCode = checkRecord({ code: checkText(limit.MAX_CODE) })
const work = formed(
  v.lazy((input): Check<Work> => (typeof input === 'object' && input !== null ? ownCode : works)),
  { anyOf: [works, ownCode] },
)

const stage = checkRecord({
  id,
  name: optional(checkName(1)),
  service: defaulted(service, stageDefaults.service),
  changes: defaulted(changes, stageDefaults.changes),
  startUp: defaulted(v.nullable(service), stageDefaults.startUp),
  work: defaulted(work, stageDefaults.work),
  fails: defaulted(
    v.nullable(
      checkRecord({
        jobs: checkList(checkWhole(0, limit.MAX_JOBS)),
        tries: defaulted(checkWhole(1, limit.MAX_TRIES), partDefaults.tries),
      }),
    ),
    stageDefaults.fails,
  ),
  capacity: defaulted(v.nullable(checkWhole(1, limit.MAX_JOBS)), stageDefaults.capacity),
  discipline: defaulted(checkOneOf(disciplines), stageDefaults.discipline),
  ageing: orNull(micros(1)),
  resource: defaulted(
    v.nullable(value<Resource>({ enum: ['group'] }, () => listed(['group', 'null'], 'or'))),
    stageDefaults.resource,
  ),
  whenTaken: defaulted(checkOneOf(['wait', 'skip']), stageDefaults.whenTaken),
  fanOut: defaulted(fanOut, stageDefaults.fanOut),
  join: defaulted(checkOneOf(['merge', 'all']), stageDefaults.join),
  position: defaulted(v.nullable(checkRecord({ x: position, y: position })), stageDefaults.position),
})

const prior = defaulted(checkOneOf(['neighbours', 'declared', 'one']), partDefaults.prior)
const estimator = checkByKind({
  mean: { prior },
  window: { n: checkWhole(1, limit.MAX_WINDOW), prior },
  ewma: { alpha: real(0.0001, 1), prior },
})

const workerEvent = checkRecord({
  at: micros(0),
  kind: checkOneOf(workerEventKinds),
  worker: checkWhole(0, limit.MAX_WORKERS - 1),
})

const batch = checkRecord({
  size: optional(checkWhole(1, limit.MAX_BATCH)),
  adaptive: optional(boolean),
  inHand: defaulted(
    value<1 | 2>({ enum: [1, 2] }, () => listed(['1', '2'], 'or')),
    scenarioDefaults.batch.inHand,
  ),
})

const network = checkRecord({
  roundTrip: micros(0),
  loss: defaulted(withoutMinusZero(real(0, limit.MAX_LOSS)), partDefaults.loss),
})

const phaseValues = {
  policy: optional(policy),
  estimator: optional(estimator),
  batch: optional(batch),
  switchCost: optional(micros(0)),
  groupSwitchCost: optional(micros(0)),
  cores: optional(workerCount),
}
const phase = checkRecord({ at: micros(1), ...phaseValues })

const branch = checkRecord({
  at: micros(1),
  title: defaulted(checkName(0), branchDefaults.title),
  stages: optional(
    checkList(
      checkRecord({
        id,
        from: checkWhole(0, limit.MAX_JOBS),
        service: optional(service),
        changes: optional(changes),
      }),
      limit.MAX_STAGES,
    ),
  ),
  workers: optional(workerCount),
  workerEvents: optional(checkList(workerEvent)),
  later: optional(checkList(phase, limit.MAX_PHASES)),
  ...phaseValues,
})

/** The keys of a scenario. Rules over several keys are checked in rules.ts. */
export const entries = {
  version: v.literal(1) as Check<1>,
  title: defaulted(checkName(0), scenarioDefaults.title),
  seed: defaulted(checkWhole(0, limit.MAX_SEED), scenarioDefaults.seed),
  source: defaulted(source, scenarioDefaults.source),
  stages: checkList(stage, limit.MAX_STAGES, 1),
  links: optional(checkList(checkPair(end, end, '[from, to]'), limit.MAX_LINKS)),
  workers: workerCount,
  cores: optional(workerCount),
  workerEvents: defaulted(checkList(workerEvent), scenarioDefaults.workerEvents),
  policy: defaulted(policy, scenarioDefaults.policy),
  estimator: defaulted(estimator, scenarioDefaults.estimator),
  batch: defaulted(batch, { size: undefined, adaptive: undefined, inHand: scenarioDefaults.batch.inHand }),
  switchCost: defaulted(micros(0), scenarioDefaults.switchCost),
  groupSwitchCost: defaulted(micros(0), scenarioDefaults.groupSwitchCost),
  network: defaulted(v.nullable(network), scenarioDefaults.network),
  order: defaulted(
    checkByKind({
      none: {},
      buffer: { slots: checkWhole(1, limit.MAX_SLOTS) },
      shard: {},
    }),
    scenarioDefaults.order,
  ),
  branches: defaulted(checkList(branch, limit.MAX_BRANCHES), scenarioDefaults.branches),
  later: defaulted(checkList(phase, limit.MAX_PHASES), scenarioDefaults.later),
  $schema: optional(value<string>({ type: 'string' }, () => t('the address of the JSON Schema'))),
} satisfies Entries

/** A scenario with well-formed values, before defaults that depend on other keys are filled in and the rules are checked. */
export type SchemaDraft = {
  -readonly [K in Exclude<keyof typeof entries, '$schema'>]: v.InferOutput<(typeof entries)[K]>
}

/** Reads the keys of a scenario. Its version was checked before. */
export const readDraftKeys = recordReader({ ...entries, version: v.optional(v.any()) })
