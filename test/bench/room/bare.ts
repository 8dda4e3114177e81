import mqtt, { type MqttClient } from 'mqtt'
import type { BatchOrder } from '../../../src/engine/conductor/batchPort.ts'
import { wallMicros } from '../../../src/engine/conductor/environment.ts'
import { createWorkerApi } from '../../../src/engine/threads/workerApi.ts'
import { deviceOf, deviceTopic } from '../../../src/features/room/protocol/carrier.ts'
import type { RoomAddress } from '../../../src/runs/remote/remoteEngine.ts'

/** The library for the messages of a room, without our code around it. */

async function connect({ broker, role, token }: RoomAddress, clientId: string): Promise<MqttClient> {
  return mqtt.connectAsync(broker, {
    protocolVersion: 4,
    clientId,
    username: role,
    password: token,
    keepalive: 2,
    queueQoSZero: false,
    timerVariant: 'native',
  })
}

/** Answers every message to a device by one of this many bytes, after fixed work. Resolves with a function that stops it. */
export async function echo(
  address: RoomAddress,
  device: string,
  bytes: number,
  batch: BatchOrder,
): Promise<() => void> {
  const client = await connect(address, device)
  const answer = Buffer.alloc(bytes)
  const { work } = createWorkerApi()
  const up = deviceTopic(address.room, device, 'up')
  client.on('message', () => void work(batch).then(() => client.publish(up, answer)))
  await client.subscribeAsync(deviceTopic(address.room, device, 'down'))
  return () => client.end()
}

/** Microseconds. */
export interface Bare {
  readonly wall: number
  readonly processor: number
}

/** Sends messages to devices, each as soon as the previous one is answered. Resolves with the microseconds that all took: real time and processor time of this process. */
export async function askAll(
  address: RoomAddress,
  devices: readonly string[],
  messages: number,
  bytes: number,
): Promise<Bare> {
  const client = await connect(address, `host${Math.random().toString(36).slice(2)}`)
  const question = Buffer.alloc(bytes)
  await client.subscribeAsync(deviceTopic(address.room, '+', 'up'))
  const used = process.cpuUsage()
  const began = performance.now()
  await new Promise<void>((resolve) => {
    let left = messages
    let sent = 0
    const send = (device: string) => {
      if (sent++ < messages) client.publish(deviceTopic(address.room, device, 'down'), question)
    }
    client.on('message', (topic) => {
      if (--left === 0) resolve()
      else send(deviceOf(address.room, topic, 'up') ?? '')
    })
    for (const device of devices) send(device)
  })
  const wall = (performance.now() - began) * 1000
  const { user, system } = process.cpuUsage(used)
  await client.endAsync()
  return { wall, processor: user + system }
}

/** Records when devices were last reported gone, by name, in microseconds since 1970. */
export async function hearGoodbyes(
  address: RoomAddress,
): Promise<{ readonly at: ReadonlyMap<string, number>; end(): void }> {
  const client = await connect(address, `host${Math.random().toString(36).slice(2)}`)
  const at = new Map<string, number>()
  client.on('message', (topic, bytes) => {
    if (bytes.length === 0) at.set(deviceOf(address.room, topic, 'is') ?? '', wallMicros())
  })
  await client.subscribeAsync(deviceTopic(address.room, '+', 'is'))
  return { at, end: () => client.end() }
}
