import type { MqttClient } from 'mqtt'
import { t } from '../../../language/translate.ts'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import { quoted } from '../../../scenario/model/words.ts'
import { type Carrier, deviceTopic, type OpenCarrier } from '../protocol/carrier.ts'

/** After this time the first connection fails. Later ones are tried without end. */
const FIRST_MILLISECONDS = 10_000
/** The broker and the client consider a connection dead after one and a half times this. */
const KEEPALIVE_SECONDS = 2
const RETRY_MILLISECONDS = 400

/** Opens a connection by MQTT 3.1.1 over WebSocket, in a page, in a worker or in Node: see `OpenCarrier`. */
export const openCarrier: OpenCarrier = async (address, id) => {
  // Fetched only for those who are in a room. Its build for browsers has this export alone.
  const { default: mqtt } = await import('mqtt')
  const client = mqtt.connect(address.broker, {
    protocolVersion: 4,
    clientId: id,
    username: address.role,
    password: address.token,
    clean: true,
    keepalive: KEEPALIVE_SECONDS,
    reconnectPeriod: RETRY_MILLISECONDS,
    connectTimeout: FIRST_MILLISECONDS / 2,
    // A late message is useless here: its receiver asks again.
    queueQoSZero: false,
    // The default starts a thread from a data address, which our security policy refuses.
    timerVariant: 'native',
    ...(address.role === 'join' && {
      will: { topic: deviceTopic(address.room, id, 'is'), payload: new Uint8Array(0) as Buffer, qos: 0, retain: true },
    }),
  })
  // Each connection has a stream of its own.
  client.on('connect', () => joinPieces(client.stream))
  // Microtasks run between messages, as in browsers. In Node the library handles all messages that arrived together first, so a worker
  // would wait until the answers of all others are handled.
  client.handleMessage = (_, done) => queueMicrotask(done)
  await firstConnection(client, address)
  // Later refusals, as when the room is opened again, are retried like a lost connection.
  client.options.reconnectOnConnackError = true
  return carrierOf(client)
}

function firstConnection(client: MqttClient, { broker }: RoomAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      refuse,
      FIRST_MILLISECONDS,
      t('The broker {broker} does not answer.', { broker: quoted(broker) }),
    )
    function refuse(words: string): void {
      clearTimeout(timer)
      // Sockets that end may still report errors, which no longer matter.
      client.on('error', () => {})
      client.end(true)
      reject(new Error(words))
    }
    client.once('connect', () => {
      clearTimeout(timer)
      client.removeAllListeners('error')
      client.on('error', () => {})
      resolve()
    })
    client.on('error', (error) => {
      if ('code' in error && typeof error.code === 'number') refuse(refusal(error.code, broker))
    })
  })
}

/** Returns why a broker refuses, by the code of its answer (MQTT 3.1.1, section 3.2.2.3). */
function refusal(code: number, broker: string): string {
  if (code === 4 || code === 5)
    return t(
      'The room does not accept this link. It is damaged, or the room was opened again. Ask for the current link.',
    )
  if (code === 3) return t('The room is full.')
  return t('The broker {broker} refuses the connection (code {code}).', { broker: quoted(broker), code: String(code) })
}

function carrierOf(client: MqttClient): Carrier {
  const subscriptions: {
    readonly levels: readonly string[]
    readonly onMessage: Parameters<Carrier['subscribe']>[1]
  }[] = []
  const watchers: ((up: boolean) => void)[] = []
  let up = true
  const change = (now: boolean) => {
    if (up === now) return
    up = now
    for (const call of watchers) call(up)
  }
  client.on('connect', () => change(true))
  client.on('close', () => change(false))
  client.on('message', (topic, bytes) => {
    // Copied, since messages share one buffer. This also aligns the columns of numbers.
    const copy = new Uint8Array(bytes)
    const levels = topic.split('/')
    for (const one of subscriptions) if (fits(one.levels, levels)) one.onMessage(topic, copy)
  })
  return {
    publish(topic, bytes, retain = false) {
      if (client.connected) client.publish(topic, bytes as Buffer, { qos: 0, retain })
    },
    subscribe(filter, onMessage) {
      subscriptions.push({ levels: filter.split('/'), onMessage })
      client.subscribe(filter, { qos: 0 })
    },
    onState(call) {
      watchers.push(call)
      call(up)
    },
    end() {
      watchers.length = 0
      client.end()
    },
  }
}

/**
 * Sends all messages of one turn in one frame, as the library does in browsers. In Node it would send the five pieces of a message as five
 * frames, each of which costs both ends.
 */
function joinPieces(stream: MqttClient['stream']): void {
  stream._writev ??= (pieces: readonly { readonly chunk: Uint8Array }[], done: () => void) =>
    stream._write(Buffer.concat(pieces.map(({ chunk }) => chunk)), 'binary', done)
}

/** Returns whether a topic fits a filter, in which "+" stands for any one level. */
function fits(filter: readonly string[], topic: readonly string[]): boolean {
  return filter.length === topic.length && filter.every((level, k) => level === '+' || level === topic[k])
}
