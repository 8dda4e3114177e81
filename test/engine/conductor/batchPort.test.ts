import { describe, expect, test } from 'vitest'
import {
  type BatchAnswer,
  type BatchOrder,
  type BatchRequest,
  type Reply,
  sendBatches,
  serveBatches,
} from '../../../src/engine/conductor/batchPort.ts'
import type { Payload } from '../../../src/engine/work/kernels.ts'
import { tileOf } from '../../../src/engine/work/mandelbrot.ts'

const order = (job: number): BatchOrder => ({
  work: 'wait',
  stage: 0,
  switchCosts: [0],
  jobs: [job],
  services: [1],
  failing: [],
  payloads: null,
})
const replyWith = (began: number, payloads: readonly Payload[] | null = null): Reply => ({
  began,
  ended: [began + 1],
  threw: null,
  payloads,
})

/** The conductor's end, and what was sent over it. */
function sender() {
  const sent: BatchRequest[] = []
  const port = {
    postMessage: (message: BatchRequest) => void sent.push(message),
    onmessage: null as ((event: MessageEvent<BatchAnswer>) => void) | null,
  }
  const serve = sendBatches(port)
  return { sent, serve, answer: (data: BatchAnswer) => port.onmessage?.({ data } as MessageEvent<BatchAnswer>) }
}

describe('a batch', () => {
  test('each request gets the message with its number once, in any order', async () => {
    const { sent, serve, answer } = sender()
    const calls = [serve(order(5)), serve(order(6))]
    expect(sent).toEqual([
      { number: 0, batch: order(5) },
      { number: 1, batch: order(6) },
    ])
    answer({ number: 1, reply: replyWith(60) })
    answer({ number: 7, reply: replyWith(99) })
    answer({ number: 0, reply: replyWith(50) })
    answer({ number: 0, reply: replyWith(51) })
    expect((await Promise.all(calls)).map(({ began }) => began)).toEqual([50, 60])
  })

  test('a request that cannot be served rejects with the reason', async () => {
    const { serve, answer } = sender()
    const call = serve(order(0))
    answer({ number: 0, broken: 'no memory' })
    await expect(call).rejects.toEqual(new Error('no memory'))
  })
})

describe('a worker', () => {
  /** Sends messages to a worker that serves like this; returns what it posts. */
  async function posted(serve: (batch: BatchOrder) => Promise<Reply>, ...messages: object[]) {
    const all: { readonly message: BatchAnswer; readonly transfer: Transferable[] | undefined }[] = []
    const port = {
      postMessage: (message: BatchAnswer, transfer?: Transferable[]) => void all.push({ message, transfer }),
      onmessage: null as ((event: MessageEvent) => unknown) | null,
    }
    serveBatches(port, serve)
    for (const data of messages) port.onmessage?.({ data } as MessageEvent)
    for (let k = 0; k < 9; k++) await null
    return all
  }

  test('answers each batch under its number, and ignores other messages', async () => {
    const answers = await posted(
      async ({ jobs }) => replyWith(jobs[0]),
      { number: 3, batch: order(30) },
      { type: 'GET' },
      { number: 4, batch: order(40) },
    )
    expect(answers.map(({ message }) => message)).toEqual([
      { number: 3, reply: replyWith(30) },
      { number: 4, reply: replyWith(40) },
    ])
  })

  test('reports why a batch could not be served', async () => {
    const answers = await posted(() => Promise.reject(new Error('no memory')), { number: 3, batch: order(30) })
    expect(answers.map(({ message }) => message)).toEqual([{ number: 3, broken: 'no memory' }])
  })

  test('transfers each buffer of its payloads once, and copies records', async () => {
    const picture = { kind: 'image', width: 8, height: 8, tile: 8, x: 0, y: 0, span: 1, iterations: 1 } as const
    const [bytes, counts, pixels] = [Uint8Array.of(1, 2), new Float32Array(2), new Uint8Array(4)]
    const payloads: Payload[] = [
      bytes,
      bytes.subarray(1),
      { ...tileOf(picture, 0), counts },
      { ...tileOf(picture, 0), pixels },
      'text',
      { record: 1 },
    ]
    const [{ transfer }] = await posted(async () => replyWith(0, payloads), { number: 0, batch: order(0) })
    expect(transfer?.length).toBe(3)
    expect([bytes, counts, pixels].map(({ buffer }) => transfer?.indexOf(buffer))).toEqual([0, 1, 2])
    expect((await posted(async () => replyWith(0), { number: 0, batch: order(0) }))[0].transfer).toEqual([])
  })
})
