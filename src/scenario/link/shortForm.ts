import type { Compact } from '../model/compact.ts'
import { distributions } from '../model/distributions.ts'
import { type Kinds, linkOrder, type Param, paramsIn } from '../model/params.ts'
import { policies } from '../model/policies.ts'
import { disciplines, workerEventKinds } from '../model/scenario.ts'
import { sources } from '../model/sources.ts'
import { gonePolicies } from '../parse/gone.ts'
import { parseJson } from '../parse/json.ts'
import {
  type ByteShape,
  createReader,
  flag,
  kindBytes,
  listBytes,
  number,
  pairBytes,
  recordBytes,
  text,
  varint,
  word,
} from './bytes.ts'

/** Version 1 as bytes. Shapes and words grow only at the end. A later version gets its own file; this one stays for reading. */

const none = recordBytes({})
/**
 * From this many on, times are written as the gaps between them, in their greatest common unit, after a list of one text without letters, which
 * is no time.
 */
const MANY_TIMES = 100
const mark = [1, 7, 0]
const listed = listBytes(number)
const gaps = listBytes(varint)
const arrivals: ByteShape = {
  write(bytes, value) {
    const at = value as readonly number[]
    if (at.length < MANY_TIMES) return listed.write(bytes, value)
    const apart = at.map((time, k) => time - (at[k - 1] ?? 0))
    const unit = apart.reduce(divisor, 0) || 1
    bytes.push(...mark)
    varint.write(bytes, unit)
    gaps.write(
      bytes,
      apart.map((gap) => gap / unit),
    )
  },
  read(reader) {
    if (mark.some((byte, k) => reader.bytes[reader.at + k] !== byte)) return listed.read(reader)
    reader.at += mark.length
    const unit = varint.read(reader)
    let time = 0
    return (gaps.read(reader) as number[]).map((gap) => (time += gap * unit))
  },
}
/** A number above 0, or null, where null is not the default: a default is left out of a link. */
const orZero = (shape: ByteShape): ByteShape => ({
  write: (bytes, value) => shape.write(bytes, value ?? 0),
  read: (reader) => shape.read(reader) || null,
})
const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
const times = listBytes(pairBytes(number, number))
/** Values are written as JSON. */
const json: ByteShape = {
  write: (bytes, value) => text.write(bytes, JSON.stringify(value)),
  read: (reader) => parseJson(text.read(reader) as string),
}
const bytesOf = {
  ...{
    whole: number,
    real: number,
    micros: number,
    text,
    code: text,
    digest: text,
    rates: times,
    allocation: listBytes(number),
  },
  ...{
    samples: listBytes(number),
    times: arrivals,
    sizes: listBytes(number),
    allocations: listBytes(listBytes(number)),
    values: json,
  },
}

/** The kinds of a table, in the order of their numbers, each with its parameters and then `more`. */
function tableBytes(table: Kinds, more: Readonly<Record<string, ByteShape>> = {}): ByteShape {
  const plain = (param: Param) => (param.is === 'choice' ? word(Object.keys(param.options)) : bytesOf[param.is])
  const paramBytes = (param: Param) =>
    'orNone' in param && param.byDefault !== null ? orZero(plain(param)) : plain(param)
  const own = (kind: string) =>
    Object.fromEntries(paramsIn(table[kind]).map(([key, param]) => [key, paramBytes(param)]))
  return kindBytes(Object.fromEntries(linkOrder(table).map((kind) => [kind, recordBytes({ ...own(kind), ...more })])))
}

const service = tableBytes(distributions)
const source = tableBytes(sources, {
  retry: recordBytes({ after: service, limit: number, backoff: number }),
  classes: listed,
})
const policy = tableBytes({ ...policies, ...gonePolicies }, { lend: flag })
const changes = listBytes(recordBytes({ from: number, service }))
const works = word([
  'burn',
  'wait',
  'parseJson',
  'validate',
  'sha256',
  'gzip',
  'mandelbrot',
  'colour',
  'antialias',
  'qoi',
  'code',
])
/** Code stands behind its word. */
const work: ByteShape = {
  write(bytes, value) {
    const { code } = value as { readonly code?: string }
    works.write(bytes, code === undefined ? value : 'code')
    if (code !== undefined) text.write(bytes, code)
  },
  read(reader) {
    const read = works.read(reader)
    return read === 'code' ? { code: text.read(reader) } : read
  },
}
const stage = recordBytes({
  service,
  name: text,
  id: text,
  work,
  position: recordBytes({ x: number, y: number }),
  capacity: number,
  changes,
  fails: recordBytes({ jobs: listBytes(number), tries: number }),
  discipline: word(disciplines),
  resource: word(['group']),
  whenTaken: word(['wait', 'skip']),
  fanOut: recordBytes({ route: listBytes(pairBytes(number, number)) }),
  join: word(['merge', 'all']),
  startUp: service,
  ageing: number,
})

const prior = word(['neighbours', 'declared', 'one'])
const estimator = kindBytes({
  mean: recordBytes({ prior }),
  window: recordBytes({ n: number, prior }),
  ewma: recordBytes({ alpha: number, prior }),
})
const batch = recordBytes({ size: number, adaptive: flag, inHand: number })
const workerEvents = listBytes(recordBytes({ at: number, kind: word(workerEventKinds), worker: number }))
const phaseValues = { policy, estimator, batch, switchCost: number, groupSwitchCost: number, cores: number }
const later = listBytes(recordBytes({ at: number, ...phaseValues }))
const branch = recordBytes({
  at: number,
  title: text,
  stages: listBytes(recordBytes({ id: number, from: number, service, changes })),
  workers: number,
  workerEvents,
  later,
  ...phaseValues,
})
const hidden = listBytes(
  kindBytes({ service: recordBytes({ stage: text, sealed: text }), policy: recordBytes({ sealed: text }) }),
)
const scenario = recordBytes({
  title: text,
  source,
  stages: listBytes(stage),
  workers: number,
  seed: number,
  policy,
  order: kindBytes({ none, buffer: recordBytes({ slots: number }), shard: none }),
  links: listBytes(pairBytes(number, number)),
  batch,
  switchCost: number,
  cores: number,
  estimator,
  workerEvents,
  groupSwitchCost: number,
  branches: listBytes(branch),
  later,
  hidden,
  essay: text,
  network: recordBytes({ roundTrip: number, loss: number }),
})

export function writeShort(compact: Compact): Uint8Array {
  const bytes: number[] = []
  scenario.write(bytes, numbered(compact as Spelled))
  return Uint8Array.from(bytes)
}

/** Returns the compact scenario of the bytes; only its shape is checked. Throws RangeError on other bytes. */
export function readShort(bytes: Uint8Array): Compact {
  const reader = createReader(bytes)
  const read = scenario.read(reader) as Spelled
  if (reader.at !== bytes.length) throw new RangeError('bytes are left over')
  return { version: 1, ...named(read) }
}

interface Spelled {
  readonly stages?: readonly Spelled[]
  readonly id?: string
  readonly name?: string
  readonly fanOut?: { readonly route?: unknown }
  readonly links?: readonly (readonly [unknown, unknown])[]
  readonly policy?: { readonly kind: string; readonly allocation?: unknown }
  readonly branches?: readonly Spelled[]
  readonly later?: readonly Spelled[]
}

/** How one form spells ids: the ends of links, the weights of a route, the seats of an allocation. */
type Spelling = { end(one: unknown): unknown; route(weights: unknown): unknown; seats(allocation: unknown): unknown }

/** Returns a compact scenario in another spelling, with stages that have their new ids already. */
function respelled(whole: Spelled, stages: readonly Spelled[], { end, route, seats }: Spelling): Spelled {
  const part = (one: Spelled): Spelled => ({
    ...one,
    ...(one.policy?.allocation !== undefined && {
      policy: { ...one.policy, allocation: seats(one.policy.allocation) },
    }),
    ...(one.later && { later: one.later.map(part) }),
  })
  const branch = (one: Spelled): Spelled => ({
    ...part(one),
    ...(one.stages && { stages: one.stages.map((stage) => ({ ...stage, id: end(stage.id) })) as readonly Spelled[] }),
  })
  const { links, branches } = whole
  return {
    ...part(whole),
    stages: stages.map((stage) =>
      stage.fanOut?.route === undefined ? stage : { ...stage, fanOut: { route: route(stage.fanOut.route) } },
    ),
    ...(links && { links: links.map(([from, to]) => [end(from), end(to)] as const) }),
    ...(branches && { branches: branches.map(branch) }),
  }
}

/** Replaces stage ids by numbers: 0 the source, 1 the sink, 2 the first listed stage. Ids that follow from the name or the order are left out. */
function numbered(compact: Spelled): Spelled {
  const stages = compact.stages ?? []
  const ends = endsOf(stages)
  const end = (id: unknown) => ends.indexOf(String(id))
  const short = stages.map((stage, i) =>
    withId(stage, stage.id === letter(i) ? undefined : stage.id === slug(stage.name) ? '' : stage.id),
  )
  return respelled(compact, short, {
    end,
    // In the order of the stages.
    route: (weights) =>
      Object.entries(weights as object)
        .map(([id, weight]) => [end(id), weight] as const)
        .sort(([a], [b]) => a - b),
    seats(allocation) {
      const seats = new Map<string, unknown>(Object.entries(allocation as object))
      return stages.map(({ id }) => seats.get(id ?? '') ?? 0)
    },
  })
}

function named(read: Spelled): Spelled {
  const stages = (read.stages ?? []).map((stage, i) => ({
    ...stage,
    id: stage.id === undefined ? letter(i) : stage.id === '' ? slug(stage.name) : stage.id,
  }))
  const ends = endsOf(stages)
  return respelled(read, stages, {
    end: (number) => ends[Number(number)],
    route: (weights) =>
      Object.fromEntries(
        (weights as readonly (readonly [number, unknown])[]).map(([to, weight]) => [ends[to] ?? `${to}`, weight]),
      ),
    seats: (allocation) =>
      Object.fromEntries((allocation as readonly unknown[]).map((n, i) => [ends[i + 2] ?? `${i}`, n])),
  })
}

function endsOf(stages: readonly Spelled[]): readonly (string | undefined)[] {
  return ['source', 'sink', ...stages.map(({ id }) => id)]
}

function withId(stage: Spelled, id: string | undefined): Spelled {
  const { id: _, ...rest } = stage
  return id === undefined ? rest : { ...rest, id }
}

/** The id that a link leaves out: A, B, ..., Z, which the canvas gives, then s26, s27, ... */
function letter(i: number): string {
  return i < 26 ? String.fromCharCode(65 + i) : `s${i}`
}

/** `Write to disk` as an id: `write-to-disk`. Only plain letters, whose small forms are the same in every browser. */
function slug(name: string | undefined): string {
  return name !== undefined && /^[A-Za-z0-9 .-]+$/.test(name) ? name.toLowerCase().replaceAll(' ', '-') : '-'
}
