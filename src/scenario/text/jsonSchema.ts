import { t } from '../../language/translate.ts'
import { distributions } from '../model/distributions.ts'
import { type Kinds, paramsIn } from '../model/params.ts'
import { policies } from '../model/policies.ts'
import { sources } from '../model/sources.ts'
import { entries } from '../parse/schema.ts'
import type { Check, Entries, Form } from '../parse/shape.ts'

/** The part of JSON Schema that a scenario needs. */
export interface JsonSchema extends Omit<Form, 'items' | 'prefixItems' | 'anyOf' | 'each' | 'entries' | 'variants'> {
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  /** One for each kind of an object: if it is of this kind, then it has these keys. */
  readonly allOf?: readonly { readonly if: JsonSchema; readonly then: JsonSchema }[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
}

/**
 * Returns the JSON Schema (draft 2020-12) of a scenario, made of the checks of `parse`. It accepts whatever `parse` does, and more:
 * it does not check what needs several keys. Descriptions are in the current language.
 */
export function jsonSchema(): JsonSchema {
  return {
    ...{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: t('Apportion scenario') },
    description: t('A pipeline, its workers and the policy that shares them. Times are whole microseconds, rates are jobs per second.'),
    ...objectOf(entries, [], meanings()),
  }
}

/** What checks have: valibot's own keys, and our form. */
interface Plain {
  readonly type: string
  readonly form?: Form
  readonly wrapped?: Check<unknown>
  readonly default?: unknown
  readonly literal?: unknown
}

type Meanings = ReturnType<typeof meanings>

/** `place`: the key whose value this is, then the kind of the object it is in, if any. */
function schemaOf(check: Check<unknown>, place: readonly string[], texts: Meanings): JsonSchema {
  const { type, form, wrapped, default: byDefault, literal } = check as unknown as Plain
  if (form !== undefined) return schemaOfForm(form, place, texts)
  if (type === 'optional' && wrapped !== undefined)
    return { ...schemaOf(wrapped, place, texts), ...(byDefault === undefined ? {} : { default: plain(byDefault) }) }
  if (type === 'nullable' && wrapped !== undefined) return { anyOf: [schemaOf(wrapped, place, texts), { type: 'null' }] }
  if (type === 'literal') return { const: literal }
  throw new Error(`a check of type ${type} at ${place.join('.')} has no form`)
}

function schemaOfForm({ items, prefixItems, anyOf, each, entries, variants, ...rest }: Form, place: readonly string[], texts: Meanings): JsonSchema {
  if (entries !== undefined) return objectOf(entries, place, texts)
  if (variants !== undefined) return kindsOf(variants, place, texts)
  return {
    ...rest,
    ...(items === undefined ? {} : { items: schemaOf(items, place, texts) }),
    ...(prefixItems === undefined ? {} : { prefixItems: prefixItems.map((item) => schemaOf(item, place, texts)) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((one) => schemaOf(one, place, texts)) }),
    ...(each === undefined ? {} : { additionalProperties: schemaOf(each, place, texts) }),
  }
}

function objectOf(own: Entries, place: readonly string[], texts: Meanings): JsonSchema {
  const keys = Object.keys(own)
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, { ...meaning(place, key, texts), ...schemaOf(own[key], [key], texts) }])),
    required: keys.filter((key) => (own[key] as unknown as Plain).type !== 'optional'),
    additionalProperties: false,
  }
}

/**
 * An object whose `kind` decides which other keys it has; the first kind is the default. The kinds stand in one list, so that a validator
 * names them where the kind is wrong. A list of alternatives would be refused as a whole.
 */
function kindsOf(variants: Readonly<Record<string, Entries>>, place: readonly string[], texts: Meanings): JsonSchema {
  const kinds = Object.keys(variants)
  return {
    type: 'object',
    properties: { kind: { ...meaning([...place, kinds[0]], 'kind', texts), enum: kinds, default: kinds[0] } },
    allOf: kinds.map((kind, i) => ({
      if: { properties: { kind: { const: kind } }, ...(i === 0 ? {} : { required: ['kind'] }) },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: variantOf(kind, variants[kind], place, texts),
    })),
  }
}

function variantOf(kind: string, own: Entries, place: readonly string[], texts: Meanings): JsonSchema {
  const { properties, ...rest } = objectOf(own, [...place, kind], texts)
  return { ...rest, properties: { kind: { ...meaning([...place, kind], 'kind', texts), const: kind }, ...properties } }
}

function meaning([owner, kind]: readonly string[], key: string, texts: Meanings): { readonly description?: string } {
  const description = owner === undefined ? texts[key] : (texts[`${owner}.${kind}.${key}`] ?? texts[`${owner}.${key}`])
  return description === undefined ? {} : { description }
}

/** Drops undefined values, which JSON does not have. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/**
 * What each key of a scenario means, for the JSON Schema: by the key that leads to its object, and the kind of that object where
 * kinds differ. Bounds and defaults are in the schema. The parameters of policies are described in model/policies.ts.
 */
export function meanings(): Readonly<Record<string, string>> {
  return {
    version: t('The version of the format this is written in.'),
    title: t('What people call the scenario.'),
    seed: t('The random seed. Two policies with the same seed get the same jobs.'),
    source: t('How jobs arrive. They are numbered 0, 1, 2, ... in order of arrival.'),
    stages: t('The stages of the pipeline, in listing order.'),
    links: t('Edges from "source" over stage ids to "sink": a graph without circles. Left out: a line in listing order.'),
    workers: t('How many workers the stages share.'),
    cores: t('How many burning workers run at once in the simulation. Left out: as many as workers.'),
    workerEvents: t('Workers that join, leave, crash or hang during the run.'),
    policy: t('Who works where.'),
    estimator: t('How the scheduler estimates service times.'),
    batch: t('How many jobs a worker takes at once: a size, or adaptive.'),
    switchCost: t('What a worker loses when it changes stage, in microseconds.'),
    groupSwitchCost: t('What a worker loses when the group of a job is another than that of its job before, in microseconds.'),
    network: t('How far away the workers are, in the simulation; null: beside the scheduler.'),
    order: t('In which order jobs leave.'),
    branches: t('Runs that equal this one until some time, and differ from then on.'),
    later: t('What changes for the scheduler from a time on. What is left out stays as it was.'),
    hidden: t('What the page does not show until it is revealed: a puzzle, not a secret.'),
    essay: t('A text in Markdown about the run. A line such as @ 1.25 s pins that instant.'),
    $schema: t('Where this JSON Schema is, for editors of text. It says nothing of the scenario.'),

    'source.kind': t('How jobs arrive. Left out: batch.'),
    ...meaningsIn('source', sources),

    'stages.id': t('How links and allocations call the stage. Ties between stages go to the least id.'),
    'stages.name': t('What people read. Left out: the id.'),
    'stages.service': t('How long a job takes here.'),
    'stages.changes': t('What the stage costs from a job number on, in ascending order of from.'),
    'stages.work': t('What a worker does for a job in a real run: keep a core busy, sleep, or real work.'),
    'stages.fails': t('Jobs that throw here; null: none.'),
    'stages.capacity': t('The most jobs the queue holds; null: without bound.'),
    'stages.discipline': t('Which job of the queue is next.'),
    'stages.resource': t('What a job needs for itself here: at group, no two jobs of one group are served at once; null: nothing.'),
    'stages.whenTaken': t('Where the resource is taken: a worker waits for it, or takes the next job whose resource is free.'),
    'stages.fanOut': t('Where several stages follow: each gets a copy, or one gets the job.'),
    'stages.join': t('Where several stages lead here: take each part as it comes, or wait for all parts of a job.'),
    'stages.from': t(
      'Of a branch: a job number, from 0, above those of all jobs that had been begun here by then. What the branch says holds from that job on.',
    ),
    'stages.position': t('Where the canvas shows the stage; null: laid out automatically.'),
    'changes.from': t('The number of the first job that costs this. The first of all has number 0.'),
    'changes.service': t('How long a job takes from then on.'),
    'fails.jobs': t('The numbers of the jobs that throw. The first of all has number 0.'),
    'fails.tries': t('How often a job is tried before it is failed.'),
    'fanOut.route': t('A weight for each stage that follows, under its id: jobs choose at random, in proportion to the weights.'),
    'position.x': t('To the right.'),
    'position.y': t('Down.'),

    'service.kind': t('The distribution of the service time. Left out: constant.'),
    ...meaningsIn('service', distributions),

    'policy.kind': t('The policy that shares the workers among the stages. Left out: leastScore.'),
    'policy.lend': t('May a worker help below its share so that none idles while work waits?'),
    ...meaningsIn('policy', policies),

    'estimator.kind': t('Over which measurements the mean is taken. Left out: mean, over all of them.'),
    'estimator.prior': t('The estimate for a stage that has not been measured yet.'),
    'estimator.n': t('Over how many of the latest measurements.'),
    'estimator.alpha': t('The weight of the newest measurement.'),

    'batch.size': t('The most jobs a worker takes at once. Left out: 1.'),
    'batch.adaptive': t('As many as make the messages cheap, and leave the others their share of the queue.'),
    'batch.inHand': t('How many batches a worker may have: 2 gives it the next one before it has finished the first.'),

    'network.roundTrip': t('How long a message takes to a worker and its answer back, without the work, in microseconds.'),
    'network.loss': t('The share of messages that are lost and sent again. Left out: 0.'),

    'order.kind': t(
      'As they come, or in order of arrival: through a buffer, or by shards, where worker k of n serves the tickets with number mod n = k. Left out: none.',
    ),
    'order.slots': t('How many jobs the order buffer has room for.'),

    'branches.at': t('From when on the branch goes its own way, in microseconds.'),
    'branches.title': t('What people call the branch.'),
    'branches.stages': t('What stages cost from some job on.'),
    'branches.workers': t('How many workers there are from then on: missing workers join, surplus workers leave.'),
    'branches.workerEvents': t(
      'Workers that join, leave, crash or hang from then on, in place of what the scenario says of that time. Numbered as if the workers of the branch had been there from the start.',
    ),
    'branches.later': t('What changes for the scheduler later, in place of what the scenario has for that time.'),
    'branches.policy': t('Who works where from then on.'),
    'branches.estimator': t('How the scheduler estimates service times from then on, as if it had done so from the start.'),
    'branches.batch': t('How many jobs a worker takes at once from then on.'),
    'branches.switchCost': t('What a worker loses from then on when it changes stage, in microseconds.'),
    'branches.groupSwitchCost': t('What a worker loses from then on when the group changes, in microseconds.'),
    'branches.cores': t('How many burning workers run at once in the simulation from then on.'),

    'hidden.kind': t('The service time of a stage with its changes, or the policy of the scenario. Left out: service.'),
    'hidden.stage': t('The id of the stage.'),
    'hidden.sealed': t('What is hidden, in a form that cannot be read at a glance. It stands in place of the service time or the policy.'),

    'workerEvents.at': t('When it happens, in microseconds.'),
    'workerEvents.kind': t('What becomes of the worker.'),
    'workerEvents.worker': t('The number of the worker, from 0; a worker that joins gets the next number.'),

    'later.at': t('From when on, in microseconds; in ascending order.'),
    'later.policy': t('Who works where.'),
    'later.estimator': t('How the scheduler estimates service times, as if it had done so from the start.'),
    'later.batch': t('How many jobs a worker takes at once.'),
    'later.switchCost': t('What a worker loses when it changes stage, in microseconds.'),
    'later.groupSwitchCost': t('What a worker loses when the group changes, in microseconds.'),
    'later.cores': t('How many burning workers run at once in the simulation.'),
  }
}

/** The meanings of the parameters of each kind. */
function meaningsIn(owner: string, table: Kinds): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(table).flatMap((kind) => paramsIn(table[kind]).map(([key, { meaning }]) => [`${owner}.${kind}.${key}`, meaning()])))
}
