import type { ConductedRun } from '../../engine/conductor/conductedRun.ts'
import type { Payload } from '../../engine/work/kernels.ts'
import { inParts, type Payloads } from '../../engine/work/payloads.ts'
import { partKey } from '../../pipeline/state.ts'
import { SINK, topologyOf } from '../../pipeline/topology.ts'
import { isLinear } from '../../scenario/model/linearStages.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import type { Input } from './intake.ts'
import type { Redo } from './protocol.ts'
import { type Carried, Keeper, Moved } from './workerThread.ts'

type Part = Pick<Input, 'value' | 'moved'>

/** The values of the inputs inside: what each carries to a thread, and what it is made of by then. */
export interface Values extends Pick<Payloads, 'at' | 'put'> {
  /** Returns the result of an input that has gone through all stages. */
  result(job: number): unknown
  forget(job: number): void
}

const none: readonly Transferable[] = Object.freeze([])
const noStages: readonly number[] = Object.freeze([])
const noRedo: Redo = { stages: [], tries: 1 }

/** Returns the values of inputs by job. `conducted` returns the conductor's view of the run; null before its first instant. */
export function createValues(
  scenario: Scenario,
  of: (job: number) => Input,
  conducted: () => ConductedRun | null,
): Values {
  return isLinear(scenario) ? inLine(scenario, of, conducted) : inGraph(scenario, of, conducted)
}

/** In a line an input carries its value itself. Under `perJob` threads keep the values, and it has the one from which they are made again. */
function inLine(scenario: Scenario, of: (job: number) => Input, conducted: () => ConductedRun | null): Values {
  const { bounded, order, next, slots } = topologyOf(scenario)
  const places = order.map((_, stage) => order.indexOf(stage))
  const ranges: (readonly number[])[] = []

  /** Returns the stages from one place to another. */
  function between(from: number, to: number): readonly number[] {
    const key = from * order.length + to
    ranges[key] ??= Array.from(order.subarray(from, to))
    return ranges[key]
  }

  /** Whether the scheduler will order just what the thread goes on with: nothing is full, nothing goes alone, and the job has a place in the order buffer. */
  function goesOn(job: number): boolean {
    const run = conducted()
    if (bounded || run === null) return false
    const { tries, threadEnds, buffer } = run.core.state
    return tries.size === 0 && !threadEnds?.size && (buffer === null || job < buffer.tail + slots)
  }

  return {
    at(job, stage) {
      const input = of(job)
      const { value, moved, through } = input
      const tries = triesAt(conducted(), job, stage)
      input.tries = Math.max(input.tries, tries)
      const redo =
        through === places[stage] ? noRedo : { stages: between(through, places[stage]), tries: input.tries + 1 }
      const keep = (conducted()?.core.scenario ?? scenario).policy.kind === 'perJob' && next[stage] !== SINK
      return carried({
        value,
        moved,
        tries,
        kept: input,
        redo,
        keep,
        through: keep && goesOn(job) ? between(places[stage] + 1, order.length) : noStages,
      })
    },
    put(job, stage, payload) {
      const input = of(job)
      const { keptBy } = input
      input.keptBy = payload instanceof Keeper ? payload : null
      if (input.keptBy !== null) return
      // The thread keeps the value until its output has arrived.
      keptBy?.forget.push(job)
      Object.assign(input, partOf(payload))
      input.through = places[stage] + 1
    },
    result: (job) => of(job).value,
    forget: (job) => of(job).keptBy?.forget.push(job),
  }
}

/** In a graph each part of an input has a value. */
function inGraph(scenario: Scenario, of: (job: number) => Input, conducted: () => ConductedRun | null): Values {
  const { copies } = topologyOf(scenario)
  const parts = inParts<Part>(scenario, of, combined)
  return {
    at(job, stage) {
      const { value, moved } = parts.at(job, stage)
      const tries = triesAt(conducted(), job, stage)
      return carried({
        value,
        moved: copies ? none : moved,
        tries,
        kept: null,
        redo: noRedo,
        keep: false,
        through: noStages,
      })
    },
    put: (job, stage, payload) => parts.put(job, stage, partOf(payload)),
    result: (job) => parts.at(job, SINK).value,
    forget: parts.forget,
  }
}

/** To the conductor a value is an opaque payload. */
function carried(values: Carried): Payload {
  return values as unknown as Payload
}

function partOf(payload: unknown): Part {
  return payload instanceof Moved ? { value: payload.value, moved: payload.buffers } : { value: payload, moved: none }
}

function combined(parts: readonly (readonly [id: string, part: Part])[]): Part {
  if (parts.length === 1) return parts[0][1]
  return { value: Object.fromEntries(parts.map(([id, { value }]) => [id, value])), moved: none }
}

/** Returns how often a job is tried at a stage with this time. */
function triesAt(run: ConductedRun | null, job: number, stage: number): number {
  if (run === null) return 1
  const { tries, threadEnds } = run.core.state
  const key = partKey(stage, job)
  return tries.size === 0 ? 1 : 1 + (tries.get(key) ?? 0) + (threadEnds?.get(key) ?? 0)
}
