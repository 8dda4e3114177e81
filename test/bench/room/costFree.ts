import type { BatchOrder } from '../../../src/engine/conductor/batchPort.ts'
import { packDown, packUp } from '../../../src/features/room/protocol/messages.ts'
import { processSeconds } from '../processorTime.ts'
import { lineOf } from '../scenarios.ts'
import type { Bare } from './bare.ts'
import type { Conducted, ConductedMessage } from './conducted.ts'
import type { LendersMessage } from './lenders.ts'
import { median, type TrialRow, type TrialTools } from './trialRow.ts'

const DEVICES = 8
/** Measured turns, and warm-up turns before them, while both sides are compiled. */
const TURNS = 9
const FIRST_TURNS = 3

/** One run, in real time and in processor time of the three processes: conductor, broker, devices. Microseconds per batch. */
interface Cost {
  readonly wall: number
  readonly conductor: number
  readonly broker: number
  readonly devices: number
}

/**
 * Jobs of a microsecond, in batches, on eight devices of one process, compared with as many bare clients with messages of the same sizes and
 * the same work. They alternate. Processor time is more reliable than real time if other processes use the cores.
 */
export async function costFree({ family, broker, quick }: TrialTools): Promise<TrialRow[]> {
  const conductor = family.start('conductor')
  const lenders = family.start('lenders')
  const rows: TrialRow[] = []
  for (const [size, batches] of [
    [1, 8000],
    [10, 6000],
    [100, 1500],
  ]) {
    const many = quick ? batches / 10 : batches
    const ours: Cost[] = []
    const bare: Cost[] = []
    for (let turn = quick ? 0 : -FIRST_TURNS; turn < (quick ? 1 : TURNS); turn++) {
      const costs = [await bareRun(many, size), await ourRun(many, size)]
      if (turn < 0) continue
      bare.push(costs[0])
      ours.push(costs[1])
    }
    const services = (costs: readonly Cost[]) => (size * 1e6) / median(costs.map(({ wall }) => wall))
    const used = (costs: readonly Cost[]) => median(costs.map((cost) => cost.conductor + cost.broker + cost.devices))
    rows.push({
      name: `${broker.name}: jobs of no cost in batches of ${size}`,
      figures: {
        'services a second': services(ours),
        'bare client': services(bare),
        'of the bare rate (0.8)': median(ours.map(({ wall }, k) => bare[k].wall / wall)),
        'the same in processor time': used(bare) / used(ours),
        'conductor us a batch': median(ours.map((cost) => cost.conductor)),
        'bare conductor us a message': median(bare.map((cost) => cost.conductor)),
        'broker us a batch': median(ours.map((cost) => cost.broker)),
        'bare broker us a message': median(bare.map((cost) => cost.broker)),
        'devices us a batch': median(ours.map((cost) => cost.devices)),
        'bare devices us a message': median(bare.map((cost) => cost.devices)),
      },
    })
  }
  conductor.kill('SIGKILL')
  lenders.kill('SIGKILL')
  return rows

  async function bareRun(batches: number, size: number): Promise<Cost> {
    const { batch, down, up } = messagesOf(size)
    return withDevices(
      { ask: 'echo', address: broker.joinAddress, devices: DEVICES, bytes: up, batch },
      async (devices) => {
        const message: ConductedMessage = {
          ask: 'bare',
          address: broker.address,
          devices,
          messages: batches,
          bytes: down,
        }
        const [taken, others] = await measured(() => conductor.ask<Bare>(message))
        return costOf(taken, others, batches)
      },
    )
  }

  async function ourRun(batches: number, size: number): Promise<Cost> {
    const jobs = batches * size
    const scenario = lineOf({
      jobs,
      seed: 1,
      workers: DEVICES,
      services: [{ kind: 'constant', mean: 1 }],
      rate: null,
      batch: { size },
    })
    return withDevices({ ask: 'lend', address: broker.joinAddress, devices: DEVICES }, async () => {
      const message: ConductedMessage = { ask: 'play', address: broker.address, scenario, watched: false }
      const [run, others] = await measured(() => conductor.ask<Conducted>(message))
      if (run.ending !== 'drained' || run.services !== jobs) throw new Error(JSON.stringify(run))
      return costOf({ wall: run.makespan, processor: run.processor }, others, batches)
    })
  }

  async function measured<T>(act: () => Promise<T>): Promise<[T, Pick<Cost, 'broker' | 'devices'>]> {
    const used = () => [processSeconds(broker.pid()), processSeconds(lenders.pid)]
    const before = used()
    const done = await act()
    const [brokers, devices] = used().map((seconds, k) => (seconds - before[k]) * 1e6)
    return [done, { broker: brokers, devices }]
  }

  async function withDevices<T>(asked: LendersMessage, act: (devices: readonly string[]) => Promise<T>): Promise<T> {
    const devices = await lenders.ask<string[]>(asked)
    try {
      return await act(devices)
    } finally {
      await lenders.ask({ ask: 'leave' } satisfies LendersMessage)
    }
  }
}

/** A message to a device and its answer, one at a time: bare clients in Node. */
export async function roundTrip({ family, broker, quick }: TrialTools): Promise<TrialRow[]> {
  const [conductor, lenders] = [family.start('conductor'), family.start('lenders')]
  const { batch, down, up } = messagesOf(1)
  const devices = await lenders.ask<string[]>({
    ask: 'echo',
    address: broker.joinAddress,
    devices: 1,
    bytes: up,
    batch,
  } satisfies LendersMessage)
  const messages = quick ? 20 : 200
  const times: number[] = []
  for (let round = 0; round < 10; round++) {
    const { wall } = await conductor.ask<Bare>({
      ask: 'bare',
      address: broker.address,
      devices,
      messages,
      bytes: down,
    } satisfies ConductedMessage)
    times.push(wall / messages / 1000)
  }
  for (const child of [conductor, lenders]) child.kill('SIGKILL')
  return [
    {
      name: `${broker.name}: there and back`,
      figures: { 'round trip ms, median': median(times), 'round trip ms, least': Math.min(...times) },
    },
  ]
}

function costOf({ wall, processor }: Bare, others: Pick<Cost, 'broker' | 'devices'>, batches: number): Cost {
  return {
    wall: wall / batches,
    conductor: processor / batches,
    broker: others.broker / batches,
    devices: others.devices / batches,
  }
}

/** Returns an order of this many jobs, and the sizes of it and its answer in bytes. */
function messagesOf(size: number): { readonly batch: BatchOrder; readonly down: number; readonly up: number } {
  const ones = Array.from({ length: size }, () => 1)
  const zeros = ones.map(() => 0)
  const addressed = { conductor: '1'.repeat(21), seat: 10, number: 1000 }
  const batch = {
    work: 'burn',
    stage: 0,
    switchCosts: zeros,
    jobs: ones,
    services: ones,
    failing: [],
    payloads: null,
  } as const
  return {
    batch,
    down: packDown({ kind: 'batch', ...addressed, batch }).length,
    up: packUp({
      kind: 'answer',
      ...addressed,
      reply: { began: Date.now() * 1000, ended: ones, threw: null, payloads: null },
    }).length,
  }
}
