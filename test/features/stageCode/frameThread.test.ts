import { afterEach, describe, expect, test, vi } from 'vitest'
import type { BatchAnswer, BatchOrder, BatchPort, BatchRequest } from '../../../src/engine/conductor/batchPort.ts'
import type { ThreadEvents } from '../../../src/engine/conductor/environment.ts'
import type { Payload } from '../../../src/engine/work/kernels.ts'
import { type FrameRun, STUCK_THREADS, startFrameThread } from '../../../src/features/stageCode/threads/frameThread.ts'
import { type Wire, wireOf } from '../../../src/features/stageCode/threads/wire.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const SENT = 1_000_000
const wire = (value: unknown) =>
  wireOf(
    value instanceof Uint8Array || typeof value === 'string' ? value : { record: value as never },
  ) as unknown as Payload
const code = { code: 'export default (x) => x' }

/** A thread of a frame that is this test, and beside it a thread of our own, which is this test too. */
async function opened({ worker = 0, stages = 2 } = {}) {
  const { port1, port2 } = new MessageChannel()
  const toFrame: unknown[] = []
  let wake = () => {}
  const begun = new Promise<MessagePort>((resolve) => {
    port2.onmessage = ({ data, ports }) => {
      toFrame.push(data)
      wake()
      if (ports.length > 0) resolve(ports[0])
    }
  })
  const told: string[] = []
  const answers: BatchAnswer[] = []
  const toOwn: BatchRequest[] = []
  const ofOwn: string[] = []
  let now = SENT
  let onFrame: ((words: string) => void) | null = null
  let ownEvents: ThreadEvents | null = null
  let greetOwn = () => {}
  const ownPort: BatchPort = { postMessage: (request) => toOwn.push(request), onmessage: null }
  const run: FrameRun = {
    ...{ frame: port1, codes: [[0, code.code]], seed: 1, now: () => now, tries: new Map(), stages, number: 4 },
    startOwn(worker, events) {
      ofOwn.push(`start ${worker}`)
      ownEvents = events
      return {
        port: ownPort,
        hello: () =>
          new Promise((resolve) => {
            greetOwn = () => resolve(true)
          }),
        clock: async () => 0,
        hangAt: async (time) => void ofOwn.push(`hang ${time}`),
        onEnd() {},
        end: () => void ofOwn.push('end'),
      }
    },
    hear(thread, call) {
      ofOwn.push(`hears ${thread}`)
      onFrame = call
      return () => {
        onFrame = null
      }
    },
  }
  const thread = startFrameThread(run, worker, {
    error: (words) => told.push(`error ${words}`),
    lost: (words) => told.push(`lost ${words}`),
  })
  thread.port.onmessage = ({ data }) => answers.push(data)
  const end = await begun
  closing.push(() => {
    for (const port of [port1, port2, end]) port.close()
  })
  const given: unknown[][] = []
  end.onmessage = ({ data }) => {
    if (data[0] === '{"clock":true}') end.postMessage('{"clock":77}')
    else given.push(data)
    wake()
  }
  return {
    ...{ thread, run, end, given, answers, told, toOwn, ofOwn, toFrame },
    pass: (micros: number) => {
      now += micros
    },
    greetOwn: () => greetOwn(),
    own: () => ownEvents as ThreadEvents | null,
    answerOwn: (data: BatchAnswer) => ownPort.onmessage?.({ data } as MessageEvent<BatchAnswer>),
    say: (words: string) => onFrame?.(words),
    hasListener: () => onFrame !== null,
    ready: () => end.postMessage('{"ready":true}'),
    order: (number: number, work: BatchOrder['work'], jobs: readonly number[], more: Partial<BatchOrder> = {}) =>
      thread.port.postMessage({
        number,
        batch: {
          ...{
            work,
            stage: typeof work === 'object' ? 0 : 1,
            jobs,
            failing: [],
            switchCosts: jobs.map(() => 0),
            services: jobs.map(() => 1),
          },
          ...{ payloads: jobs.map((job) => wire(job)), ...more },
        },
      }),
    reply: (number: number, jobs: readonly number[], thrown: readonly unknown[] = []) =>
      end.postMessage(
        JSON.stringify({
          number,
          began: SENT,
          ended: jobs.map((_, k) => SENT + k + 1),
          values: jobs.map((job) => [JSON.stringify(job), -1, 0]),
          thrown,
        }),
      ),
    /** Messages arrive in their order: all that was sent before, on both ways, has come. */
    settled: async () => expect(await thread.clock()).toBe(77),
    framed: async (count: number) => {
      while (toFrame.length < count) await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}

const ownReply = (number: number, payloads: readonly Payload[] | null = null): BatchAnswer => ({
  number,
  reply: { began: SENT, ended: [SENT + 1], threw: null, payloads },
})
const numbersOf = (given: readonly unknown[][]) => given.map(([head]) => JSON.parse(head as string).number)

describe('a worker at stages with and without code', () => {
  test('has two threads, and greets only when both serve', async () => {
    const { thread, ready, greetOwn, ofOwn, toFrame } = await opened({ worker: 3 })
    let greeted: boolean | null = null
    const hello = Promise.resolve(thread.hello()).then((value) => {
      greeted = value
    })
    ready()
    // The clock answers after the greeting.
    await thread.clock()
    expect(greeted).toBeNull()
    greetOwn()
    await hello
    expect([greeted, ofOwn, toFrame]).toEqual([
      false,
      ['start 3', 'hears 4'],
      [{ start: 4, codes: [[0, code.code]], seed: 1 }],
    ])
  })

  test('greets also if the thread was ready before it was asked', async () => {
    const { thread, ready, greetOwn } = await opened()
    ready()
    await thread.clock()
    const hello = thread.hello()
    greetOwn()
    expect(await hello).toBe(false)
  })

  test('gives a kernel what it works on, gives burning nothing, and hands results on as texts', async () => {
    const { order, toOwn, answerOwn, answers } = await opened()
    order(0, 'parseJson', [5], { payloads: [wire('[1,2]')] })
    order(1, 'burn', [6])
    expect(toOwn.map(({ number, batch }) => [number, batch.payloads])).toEqual([
      [0, ['[1,2]']],
      [1, null],
    ])
    answerOwn(ownReply(0, [{ record: [1, 2] }]))
    answerOwn(ownReply(1))
    answerOwn({ number: 2, broken: 'no memory' })
    expect(answers).toEqual([
      ownReply(0, [{ text: '[1,2]', bytes: null } as unknown as Payload]),
      ownReply(1),
      { number: 2, broken: 'no memory' },
    ])
  })

  test('never works in both: a batch waits for those before it, whichever thread serves them', async () => {
    const { order, reply, given, toOwn, answerOwn, answers, settled, pass } = await opened()
    order(0, code, [1])
    order(1, 'wait', [2])
    // It does not overtake.
    order(2, code, [3])
    order(3, code, [4])
    order(4, 'wait', [5])
    pass(100)
    await settled()
    expect([numbersOf(given), toOwn.length]).toEqual([[0], 0])
    reply(0, [1])
    await settled()
    expect([numbersOf(given), toOwn.map(({ number }) => number)]).toEqual([[0], [1]])
    answerOwn(ownReply(1))
    await settled()
    expect([numbersOf(given), toOwn.length]).toEqual([[0, 2, 3], 1])
    pass(100)
    reply(2, [3])
    await settled()
    expect(toOwn.length).toBe(1)
    reply(3, [4])
    await settled()
    expect([toOwn.map(({ number }) => number), answers.map(({ number }) => number)]).toEqual([
      [1, 4],
      [0, 1, 2, 3],
    ])
  })

  test('hangs in both threads, and ends both once', async () => {
    const { thread, given, ofOwn, hasListener, settled, toFrame, framed } = await opened()
    await thread.hangAt(123)
    await settled()
    expect([given, ofOwn.at(-1), hasListener()]).toEqual([[['{"hang":123}']], 'hang 123', true])
    thread.end()
    thread.end()
    await framed(2)
    expect([ofOwn.filter((word) => word === 'end'), toFrame.slice(1), hasListener()]).toEqual([
      ['end'],
      [{ end: 4 }],
      false,
    ])
  })

  test('is lost as a whole, once, when its own thread is lost', async () => {
    const { own, told, ofOwn, framed, toFrame } = await opened()
    own()?.lost('has crashed')
    own()?.lost('again')
    own()?.error('odd')
    await framed(2)
    expect([told, ofOwn.at(-1), toFrame.at(-1)]).toEqual([['lost has crashed', 'error odd'], 'end', { end: 4 }])
  })
})

describe('a thread of the frame that does not come up', () => {
  test.each([
    ['that could not delete a name', '{"left":"fetch"}', 'a name of the browser could not be deleted in it: fetch'],
    [
      'that lies before it serves',
      '{"number":0}',
      'broke the rules of replies and was ended: it answered a batch that was not out',
    ],
    ['that says nothing readable', 'ready', 'broke the rules of replies and was ended: the reply could not be read'],
  ])('%s is refused with a reason, and ended', async (_, text, words) => {
    const { thread, end, told, framed, toFrame, ofOwn, hasListener } = await opened()
    const hello = Promise.resolve(thread.hello())
    const refused = expect(hello).rejects.toThrow(words)
    end.postMessage(text)
    await refused
    await framed(2)
    // The pool reports that the greeting failed.
    expect([told, toFrame.at(-1), ofOwn.at(-1), hasListener()]).toEqual([[], { end: 4 }, 'end', false])
  })

  test('is lost with the words of the frame; once it serves, such words are an error and it goes on', async () => {
    const early = await opened()
    early.say('no such file')
    early.say('again')
    expect(early.told).toEqual(['lost could not be loaded: no such file'])
    const { ready, settled, say, told, hasListener } = await opened()
    ready()
    await settled()
    say('an odd thing')
    expect([told, hasListener()]).toEqual([['error an odd thing'], true])
  })
})

describe('a batch for the code of a stage', () => {
  test('has the bytes of all its values in one piece, each with the place of its first one', async () => {
    const { order, given, settled } = await opened()
    order(0, code, [1, 2, 3], { payloads: [wire(Uint8Array.of(1, 2)), wire('no bytes'), wire(Uint8Array.of(3, 4, 5))] })
    await settled()
    const [head, ...parts] = given[0]
    expect(given).toHaveLength(1)
    expect(JSON.parse(head as string).bases).toEqual([0, -1, 2])
    expect([parts.length, parts[1], new Uint8Array(parts[3] as ArrayBuffer)]).toEqual([
      4,
      '"no bytes"',
      Uint8Array.of(1, 2, 3, 4, 5),
    ])
  })

  test('says which jobs are to fail, what a change costs, and which worker it is, counted from 1', async () => {
    const { order, given, settled } = await opened({ worker: 6 })
    order(0, code, [7, 8, 9], { failing: [8], switchCosts: [30, 0, 2], services: [1, 2, 3] })
    await settled()
    expect(JSON.parse(given[0][0] as string)).toMatchObject({
      number: 0,
      stage: 0,
      jobs: [7, 8, 9],
      failing: [0, 1, 0],
      costs: [30, 0, 2],
      worker: 7,
    })
  })

  test('counts the tries of a job at a stage: none of another stage or job, and again from 1 once it was served', async () => {
    const { order, reply, given, settled, pass } = await opened({ stages: 3 })
    const tries = () => JSON.parse(given.at(-1)?.[0] as string).tries
    const tried = async (number: number, stage: number, jobs: readonly number[], served: readonly number[]) => {
      order(number, code, jobs, { stage })
      await settled()
      pass(100)
      reply(
        number,
        served,
        jobs.filter((job) => !served.includes(job)).map((job) => [job, 'Error: no', '']),
      )
      await settled()
      return tries()
    }
    expect(await tried(0, 0, [1, 2], [2])).toEqual([1, 1])
    // Another stage of another job: no two have the same key.
    for (const [number, stage, job] of [
      [1, 1, 0],
      [2, 2, 1],
      [3, 1, 1],
      [4, 0, 4],
    ])
      expect(await tried(number, stage, [job], [job])).toEqual([1])
    expect(await tried(5, 0, [2, 1], [])).toEqual([1, 2])
    expect(await tried(6, 0, [1, 2], [1, 2])).toEqual([3, 2])
    expect(await tried(7, 0, [1], [1])).toEqual([1])
  })

  test('that threw in part gives the values of the rest, and the jobs that threw with their reasons', async () => {
    const { order, reply, answers, settled, pass } = await opened()
    order(0, code, [31, 32, 33])
    await settled()
    pass(100)
    reply(0, [31, 33], [[32, 'RangeError: far', ':7:1']])
    await settled()
    expect(answers).toEqual([
      {
        number: 0,
        reply: {
          ...{
            began: SENT,
            ended: [SENT + 1, SENT + 2],
            threw: null,
            thrown: [{ job: 32, reason: 'line 7: RangeError: far' }],
          },
          payloads: [31, 33].map((job): Wire => ({ text: `${job}`, bytes: null })),
        },
      },
    ])
  })
})

test.each<[string, unknown]>([
  ['a reply to a batch that is not out', '{"number":9}'],
  ['a text that is not JSON', '{"number":0'],
  ['an object', { number: 0 }],
  ['a list with an object', [{ toString: 1 }, new ArrayBuffer(8)]],
])('a lie ends the thread, and nothing after it counts: %s', async (_, lie) => {
  const { order, end, reply, answers, told, framed, toFrame, pass, ready, settled } = await opened()
  ready()
  await settled()
  order(0, code, [7, 8])
  pass(100)
  end.postMessage(lie)
  reply(0, [7, 8])
  await framed(2)
  expect([answers, told, toFrame.at(-1)]).toEqual([
    [],
    [expect.stringMatching(/^lost broke the rules of replies and was ended/)],
    { end: 4 },
  ])
})

test('a flood of answers ends the thread', async () => {
  const { order, reply, answers, told, framed, pass, ready, settled } = await opened()
  ready()
  await settled()
  order(0, code, [7, 8])
  pass(100)
  for (let k = 0; k < 1000; k++) reply(0, [7, 8])
  await framed(2)
  expect([answers.length, told.length]).toEqual([1, 1])
})

test('a message that cannot be read ends the thread, and so its port', async () => {
  const ports: MessagePort[] = []
  const Channel = MessageChannel
  vi.stubGlobal('MessageChannel', function Opened() {
    const channel = new Channel()
    ports.push(channel.port1)
    return channel
  })
  const { run, end, told, framed, toFrame } = await opened()
  vi.unstubAllGlobals()
  const closed = new Promise((resolve) => end.addEventListener('close', resolve))
  // The first channel is that of the test, the second that of the thread.
  ports[1].dispatchEvent(new Event('messageerror'))
  run.frame.postMessage('next')
  await framed(2)
  expect([told, toFrame[1]]).toEqual([['lost sent an unreadable message'], { end: 4 }])
  await closed
})

test('a page hears once of a thread that is ended with batches out for more than 200 ms, and of no other', async () => {
  const channel = new BroadcastChannel(STUCK_THREADS)
  const next = new BroadcastChannel(STUCK_THREADS)
  const heard: unknown[] = []
  channel.onmessage = ({ data }) => heard.push(data)
  /** How many are told when a thread ends after this time. */
  const ending = async (micros: number, batches: number) => {
    const { order, pass, thread } = await opened()
    for (let number = 0; number < batches; number++) order(number, code, [number])
    pass(micros)
    thread.end()
    // Messages on the channel arrive in their order.
    next.postMessage('next')
    while (heard.at(-1) !== 'next') await new Promise((resolve) => setTimeout(resolve, 1))
    return heard.splice(0).length - 1
  }
  try {
    expect([
      await ending(1_000_000, 0),
      await ending(200_000, 1),
      await ending(200_001, 1),
      await ending(200_001, 2),
    ]).toEqual([0, 0, 1, 1])
  } finally {
    channel.close()
    next.close()
  }
})
