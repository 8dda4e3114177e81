import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** One connection of a client, as the broker sees it. */
export interface MadeUpConnection {
  readonly socket: WebSocket
  /** What came after the first packet, frame by frame. */
  readonly frames: readonly Buffer[]
  /** All that came, packet by packet. */
  readonly packets: () => readonly Buffer[]
  readonly closed: () => boolean
  send(...packets: readonly (readonly number[])[]): void
  publish(topic: string, ...bytes: readonly number[]): void
}

/** Answers to the connections of clients in order: a code, `silent`, or `reset`: it breaks the connection before any byte. The last one is repeated. */
export type BrokerAnswer = number | 'silent' | 'reset'

/** Starts a broker that the test controls: it answers connections and pings, and nothing else. */
export async function madeUpBroker(...answers: readonly BrokerAnswer[]) {
  const connections: MadeUpConnection[] = []
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'mqtt' })
  await new Promise((resolve) => server.once('listening', resolve))
  const answerTo = (n: number) => answers[Math.min(n, answers.length - 1)]
  let tried = 0
  const http = (server as unknown as { readonly _server: import('node:http').Server })._server
  http.on('connection', (socket: Socket) => {
    if (answerTo(tried++) === 'reset') socket.resetAndDestroy()
  })
  server.on('connection', (socket) => {
    const answer = answerTo(tried - 1)
    const frames: Buffer[] = []
    let stream = Buffer.alloc(0)
    let greeted = false
    let closed = false
    const send = (...packets: readonly (readonly number[])[]) => socket.send(Uint8Array.from(packets.flat()))
    const publish = (topic: string, ...bytes: readonly number[]) =>
      send([0x30, 2 + topic.length + bytes.length, 0, topic.length, ...Buffer.from(topic), ...bytes])
    socket.on('message', (frame: Buffer) => {
      if (greeted) frames.push(frame)
      stream = Buffer.concat([stream, frame])
      const [first] = packetsIn(stream)
      if (!greeted && first !== undefined && typeof answer === 'number') send([0x20, 2, 0, answer])
      greeted ||= first !== undefined
      if (frame[0] === 0xc0) send([0xd0, 0])
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      closed = true
    })
    connections.push({ socket, frames, packets: () => packetsIn(stream), closed: () => closed, send, publish })
  })
  return {
    address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mqtt`,
    connections,
    /** How often a client has tried to connect. */
    tried: () => tried,
    end() {
      for (const { socket } of connections) socket.terminate()
      server.close()
    },
  }
}

/** The whole packets at the beginning of a stream (MQTT 3.1.1, section 2.2), of less than 16,384 bytes each. */
function packetsIn(stream: Buffer): Buffer[] {
  const packets: Buffer[] = []
  for (let at = 0; at + 1 < stream.length; ) {
    const long = stream[at + 1] >= 128
    const end = at + (long ? 3 + (stream[at + 1] - 128) + 128 * stream[at + 2] : 2 + stream[at + 1])
    if (!(end <= stream.length)) break
    packets.push(stream.subarray(at, end))
    at = end
  }
  return packets
}

/** What a client says about itself (MQTT 3.1.1, section 3.1): the version, the flags, the keepalive, and all texts in order. */
export function readConnect(packet: Buffer) {
  let at = 2
  const text = () => {
    const length = packet.readUInt16BE(at)
    at += 2 + length
    return packet.toString('utf8', at - length, at)
  }
  const protocol = text()
  const [version, flags] = packet.subarray(at, at + 2)
  const keepalive = packet.readUInt16BE(at + 2)
  at += 4
  const texts: string[] = []
  while (at < packet.length) texts.push(text())
  return { protocol, version, flags: flags.toString(2).padStart(8, '0'), keepalive, texts }
}
