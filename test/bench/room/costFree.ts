import { packDown, packUp } from '../../../src/engine/room/messages.ts'
import { lineOf } from '../scenarios.ts'
import type { BrokerHere } from './brokers.ts'
import type { Child, Family } from './child.ts'
import type { Conducted, ConductedMessage } from './conducted.ts'
import type { LendersMessage } from './lenders.ts'

interface Row {
  readonly name: string
  readonly figures: Readonly<Record<string, number | string | null>>
}

const DEVICES = Number(process.env.D ?? 2)

/** Jobs of a microsecond, in batches: services a second, over what the same many clients do with messages of the same sizes. */
export async function costFree(family: Family, broker: BrokerHere, quick: boolean): Promise<Row[]> {
  const conductor = family.start('serveConductor')
  const lenders = family.start('serveLenders')
  const rows: Row[] = []
  for (const [size, jobs] of [
    [1, 6000],
    [10, 40_000],
    [100, 160_000],
  ]) {
    const many = quick ? jobs / 10 : jobs
    const scenario = lineOf({ jobs: many, seed: 1, workers: DEVICES, services: [{ kind: 'constant', mean: 1 }], rate: null, batch: { size } })
    const bytes = sizesOf(size)
    const ratios: number[] = []
    const rates: number[] = []
    const bares: number[] = []
    const cpu: number[] = []
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      const bare = await withDevices(lenders, { ask: 'echo', address: broker.joinAddress, devices: DEVICES, bytes: bytes.up }, (devices) =>
        conductor.ask<number>({ ask: 'bare', address: broker.address, devices, messages: many / size, bytes: bytes.down } satisfies ConductedMessage),
      )
      const ours = await withDevices(lenders, { ask: 'lend', address: broker.joinAddress, devices: DEVICES }, () =>
        conductor.ask<Conducted>({ ask: 'play', address: broker.address, scenario, watched: false } satisfies ConductedMessage),
      )
      if (ours.ending !== 'drained' || ours.services !== many) throw new Error(JSON.stringify(ours))
      rates.push((many * 1e6) / ours.makespan)
      bares.push((many * 1e6) / bare)
      ratios.push(bare / ours.makespan)
      cpu.push(ours.processor / many, ours.decisions / many)
    }
    rows.push({ name: `batches of ${size}`, figures: { rates: rates.map(Math.round).join(' '), bares: bares.map(Math.round).join(' '), ratios: ratios.map((r) => r.toFixed(2)).join(' '), cpu: cpu.map((c) => c.toFixed(1)).join(' ') } })
  }
  return rows
}

async function withDevices<T>(lenders: Child, asked: LendersMessage, act: (devices: readonly string[]) => Promise<T>): Promise<T> {
  const devices = await lenders.ask<string[]>(asked)
  try {
    return await act(devices)
  } finally {
    await lenders.ask({ ask: 'leave' } satisfies LendersMessage)
  }
}

/** Returns how many bytes an order and an answer of so many jobs have. */
function sizesOf(size: number): { readonly down: number; readonly up: number } {
  const one = Array.from({ length: size }, () => 1)
  const conductor = 'conductorOfTwentyOne1'
  const order = { work: 'burn', stage: 0, switchCosts: one, jobs: one, services: one, failing: [], payloads: null } as const
  return {
    down: packDown({ kind: 'batch', conductor, seat: 10, number: 1000, batch: order }).length,
    up: packUp({ kind: 'answer', conductor, seat: 10, number: 1000, reply: { began: Date.now() * 1000, ended: one, threw: null, payloads: null } }).length,
  }
}
