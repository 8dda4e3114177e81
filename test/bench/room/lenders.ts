import type { BatchOrder, BatchPort, Reply } from '../../../src/engine/conductor/batchPort.ts'
import { type StartThread, wallMicros } from '../../../src/engine/conductor/environment.ts'
import { createWorkerApi } from '../../../src/engine/threads/workerApi.ts'
import { openCarrier } from '../../../src/features/room/brokerClient/openCarrier.ts'
import { deviceTopic } from '../../../src/features/room/protocol/carrier.ts'
import { type Lender, lend } from '../../../src/features/room/protocol/lender.ts'
import type { RoomAddress } from '../../../src/runs/remote/remoteEngine.ts'
import { echo } from './bare.ts'
import { answerParent } from './child.ts'

/** The messages to a process of devices. */
export type LendersMessage =
  /** This many devices join the room, each with its own connection and one thread. */
  | { readonly ask: 'lend'; readonly address: RoomAddress; readonly devices: number }
  /** As many bare clients, which answer every message with this many bytes after this work. */
  | {
      readonly ask: 'echo'
      readonly address: RoomAddress
      readonly devices: number
      readonly bytes: number
      readonly batch: BatchOrder
    }
  /** All of them leave. */
  | { readonly ask: 'leave' }

export function deviceName(process: number, device: number): string {
  return `p${process}d${device}`
}

/** A process of devices: see `LendersMessage`. */
export function serveLenders(): void {
  const leave: (() => void)[] = []
  answerParent<LendersMessage>(async (message) => {
    if (message.ask === 'leave') {
      for (const go of leave.splice(0)) go()
      // Waits until the goodbyes are sent.
      return new Promise((resolve) => setTimeout(resolve, 100))
    }
    const names = Array.from({ length: message.devices }, (_, k) => deviceName(process.pid, k))
    leave.push(
      ...(await Promise.all(
        names.map((name) =>
          message.ask === 'lend'
            ? come(message.address, name)
            : echo(message.address, name, message.bytes, message.batch),
        ),
      )),
    )
    return names
  })
}

async function come(address: RoomAddress, device: string): Promise<() => void> {
  const carrier = await openCarrier(address, { clientId: device, willTopic: deviceTopic(address.room, device, 'is') })
  const loan = {
    room: address.room,
    device,
    name: device,
    build: 'bench',
    threads: 1,
    lacks: [],
    start: startHere,
    every,
  }
  const lender: Lender = lend(carrier, loan, () => {})
  return () => {
    lender.leave()
    carrier.end()
  }
}

function every(milliseconds: number, call: () => void): () => void {
  const timer = setInterval(call, milliseconds)
  return () => clearInterval(timer)
}

/** A simulated thread: many of them share one process. Waiting work uses a timer, so that fifty devices fit on two cores. */
const startHere: StartThread = () => {
  const api = createWorkerApi()
  const port: BatchPort = {
    onmessage: null,
    postMessage: ({ number, batch }) => {
      const reply = batch.work === 'wait' ? waitFor(batch) : api.work(batch)
      void reply.then((done) => port.onmessage?.({ data: { number, reply: done } } as MessageEvent))
    },
  }
  return {
    port,
    hello: async () => false,
    clock: async () => api.clock(),
    hangAt: async () => {},
    onEnd() {},
    end() {},
  }
}

async function waitFor({ services, switchCosts }: BatchOrder): Promise<Reply> {
  const began = wallMicros() + switchCosts[0]
  let due = began
  const ended = services.map((service, k) => {
    due += service + (k === 0 ? 0 : switchCosts[k])
    return due
  })
  // A timer may be early by less than a millisecond.
  for (let left = due - wallMicros(); left > 0; left = due - wallMicros())
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(left / 1000)))
  return { began, ended, threw: null, payloads: null }
}
