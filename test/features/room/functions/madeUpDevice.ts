import { type Channel, createChannel } from '../../../../src/features/room/functions/channel.ts'
import { FUNCTIONS_BUILD } from '../../../../src/features/room/functions/room.ts'
import { packValue, unpackValue } from '../../../../src/features/room/functions/structured.ts'
import { deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import {
  type Down,
  type Presence,
  packPresence,
  packUp,
  type Up,
} from '../../../../src/features/room/protocol/messages.ts'
import { readDown } from '../../../../src/features/room/protocol/readMessages.ts'
import type { ThreadReply, ToThread } from '../../../../src/features/runner/protocol.ts'
import type { MemoryBroker } from '../../../fixtures/memoryBroker.ts'

export type Batch = Extract<ToThread, { apportion: 'batch' }>

export interface DeviceOptions extends Partial<Pick<Presence, 'name' | 'build' | 'threads' | 'life'>> {
  /** Whether its threads start at once. */
  readonly starts?: boolean
  /** What it does with a batch; null: it leaves it to the test. */
  readonly serve?: ((batch: Batch) => unknown) | null
}

/** One message a second that the device was sent, apart from parts of what its threads are told. */
export type Sent = Exclude<Down, { kind: 'tell' }>

/** Returns the reply of a thread that does this with each input. What throws is an error of its job. */
export function replyTo(
  { number, stage, jobs, values, keep }: Batch,
  call: (value: never) => unknown,
  more: Partial<ThreadReply> = {},
): ThreadReply {
  const made: unknown[] = []
  const thrown: { job: number; error: unknown }[] = []
  for (const [k, job] of jobs.entries())
    try {
      made.push(call(values?.[k] as never))
    } catch (error) {
      thrown.push({ job, error })
    }
  const ended = Float64Array.from(made, (_, k) => 100 + k)
  return {
    apportion: 'done',
    number,
    stage,
    began: 50,
    ended,
    kept: keep,
    values: keep ? [] : made,
    moved: [],
    thrown,
    ...more,
  }
}

/** A device in a room in memory that lends functions. The test is its threads. */
export function madeUpDevice(broker: MemoryBroker, id: string, options: DeviceOptions = {}) {
  const { name = id, build = FUNCTIONS_BUILD, threads = 1, life = `life${id}`, starts = true, serve = null } = options
  const carrier = broker.connect({ clientId: id, willTopic: deviceTopic('R', id, 'is', 'f') })
  const sent: Sent[] = []
  const told: ToThread[] = []
  const channels = new Map<number, Channel>()
  let conductor = ''
  const up = (message: Up) => carrier.publish(deviceTopic('R', id, 'up', 'f'), packUp({ ...message, conductor }))
  /** By default the latest of its threads speaks. */
  const say = (message: unknown, seat = [...channels.keys()].at(-1) ?? 0) =>
    channels.get(seat)?.post(packValue(message))
  const begin = (seat: number) => {
    const hear = (bytes: Uint8Array) => {
      const message = unpackValue(bytes) as ToThread
      told.push(message)
      if (message.apportion === 'batch' && serve !== null) say(serve(message), seat)
    }
    if (!channels.has(seat))
      channels.set(
        seat,
        createChannel((piece) => up({ kind: 'tell', seat, piece }), hear),
      )
    up({ kind: 'hello', seat })
  }
  carrier.subscribe(deviceTopic('R', id, 'down', 'f'), (_, bytes) => {
    const message = readDown(bytes)
    if (message === null) throw new Error('the device cannot read this')
    conductor = message.conductor
    if (message.kind === 'tell') channels.get(message.seat)?.take(message.piece)
    else sent.push(message)
    if (message.kind === 'hello' && starts) begin(message.seat)
  })
  const present = (more: Partial<Presence> = {}) =>
    carrier.publish(
      deviceTopic('R', id, 'is', 'f'),
      packPresence({ life, connection: 1, name, build, threads, lacks: [], roundTrip: null, ...more }),
      true,
    )
  present()
  return {
    carrier,
    sent,
    /** What its threads were told. */
    told,
    batches: () => told.filter((message) => message.apportion === 'batch'),
    up,
    say,
    begin,
    present,
    leave: () => carrier.publish(deviceTopic('R', id, 'is', 'f'), new Uint8Array(0), true),
  }
}
