import { expect, test, vi } from 'vitest'
import type { BatchAnswer } from '../../../src/engine/conductor/batchPort.ts'
import { type FrameRun, startFrameThread } from '../../../src/features/stageCode/threads/frameThread.ts'
import { type Wire, wireOf } from '../../../src/features/stageCode/threads/wire.ts'

/** A thread whose frame is this test: it holds the end of the port that the thread of the frame has. */
async function started() {
  const { port1, port2 } = new MessageChannel()
  const toFrame: unknown[] = []
  const begun = new Promise<MessagePort>((resolve) => {
    port2.onmessage = ({ data, ports }) => {
      toFrame.push(data)
      if (ports.length > 0) resolve(ports[0])
    }
  })
  const lost: string[] = []
  const answers: BatchAnswer[] = []
  let now = 1_000_000
  const run: FrameRun = {
    ...{
      frame: port1,
      codes: [[0, 'export default (n) => n']],
      seed: 1,
      now: () => now,
      startOwn: null,
      hear: () => () => {},
      tries: new Map(),
      stages: 1,
      number: 0,
    },
  }
  const thread = startFrameThread(run, 0, { error() {}, lost: (reason) => lost.push(reason) })
  thread.port.onmessage = ({ data }) => answers.push(data)
  const end = await begun
  const given: unknown[] = []
  end.onmessage = ({ data }) => given.push(data)
  const hello = thread.hello()
  end.postMessage('{"ready":true}')
  await hello
  const order = (number: number, jobs: readonly number[]) =>
    thread.port.postMessage({
      number,
      batch: {
        work: { code: '' },
        stage: 0,
        switchCosts: jobs.map(() => 0),
        jobs,
        services: jobs.map(() => 1),
        failing: [],
        payloads: jobs.map((job) => wireOf({ record: job }) as never),
      },
    })
  // Each turn of the loop delivers what was sent before it.
  const settled = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  const pass = (time: number) => {
    now += time
  }
  return {
    thread,
    end,
    order,
    given,
    answers,
    lost,
    toFrame,
    settled,
    pass,
    close: () => [port1, port2, end].map((port) => port.close()),
  }
}

const reply = (changes: object = {}) =>
  JSON.stringify({
    number: 0,
    began: 1_000_010,
    ended: [1_000_020, 1_000_030],
    values: [
      ['1', -1, 0],
      ['2', -1, 0],
    ],
    thrown: [],
    ...changes,
  })

test('a batch goes out as one message, and a good reply is handed on as texts', async () => {
  const { order, end, given, answers, lost, settled, pass, close } = await started()
  order(0, [7, 8])
  pass(100)
  end.postMessage(reply())
  await settled()
  expect(given).toHaveLength(1)
  expect(JSON.parse((given[0] as string[])[0])).toMatchObject({
    number: 0,
    stage: 0,
    jobs: [7, 8],
    tries: [1, 1],
    worker: 1,
    bases: [-1, -1],
  })
  expect((given[0] as string[]).slice(1)).toEqual(['7', '8'])
  const payloads = ['1', '2'].map((text): Wire => ({ text, bytes: null }))
  expect(answers).toStrictEqual([
    { number: 0, reply: { began: 1_000_010, ended: [1_000_020, 1_000_030], threw: null, payloads } },
  ])
  expect(lost).toEqual([])
  close()
})

const lies = {
  'another job': reply({ thrown: [[9, 'Error', '']], values: [['1', -1, 0]], ended: [1_000_020] }),
  'another batch': reply({ number: 1 }),
  'a time that it did not have': reply({ ended: [1_000_020, 1_002_111] }),
  'no JSON': '{"number":0',
  'an object': { number: 0 },
  'a list with an object': [{ toString: 1 }, new ArrayBuffer(8)],
}
for (const [name, lie] of Object.entries(lies))
  test(`a lie ends the thread, and nothing after it counts: ${name}`, async () => {
    const { order, end, answers, lost, toFrame, settled, pass, close } = await started()
    order(0, [7, 8])
    pass(100)
    end.postMessage(lie)
    end.postMessage(reply())
    await settled()
    expect(answers).toEqual([])
    expect(lost).toHaveLength(1)
    expect(lost[0]).toMatch(/^broke the rules of replies and was ended/)
    expect(toFrame.at(-1)).toEqual({ end: 0 })
    close()
  })

test('an answer that comes twice ends the thread, so a flood does', async () => {
  const { order, end, answers, lost, settled, pass, close } = await started()
  order(0, [7, 8])
  pass(100)
  for (let k = 0; k < 1000; k++) end.postMessage(reply())
  await settled()
  expect([answers.length, lost.length]).toEqual([1, 1])
  close()
})

test('a message that cannot be read ends the thread, and so its port', async () => {
  const ports: MessagePort[] = []
  const Channel = MessageChannel
  vi.stubGlobal('MessageChannel', function Opened() {
    const channel = new Channel()
    ports.push(channel.port1)
    return channel
  })
  const { end, lost, toFrame, settled, close } = await started()
  vi.unstubAllGlobals()
  let closed = false
  end.addEventListener('close', () => {
    closed = true
  })
  // The first channel is that of the test, the second that of the thread.
  ports[1].dispatchEvent(new Event('messageerror'))
  await settled()
  expect([lost, toFrame.at(-1), closed]).toEqual([['sent an unreadable message'], { end: 0 }, true])
  close()
})

test('a job that comes again says which try it is', async () => {
  const { order, end, given, settled, pass, close } = await started()
  order(0, [7])
  pass(100)
  end.postMessage(reply({ values: [], ended: [], thrown: [[7, 'Error: no', ':1:1']] }))
  await settled()
  order(1, [7])
  await settled()
  expect(JSON.parse((given[1] as string[])[0]).tries).toEqual([2])
  close()
})
