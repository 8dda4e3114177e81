import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type StartThread, wallMicros } from '../../../src/engine/conductor/environment.ts'
import { kernelOf } from '../../../src/engine/work/kernels.ts'
import type { Tile } from '../../../src/engine/work/mandelbrot.ts'
import { createPicturePayloads } from '../../../src/engine/work/payloads.ts'
import { createStageEngine } from '../../../src/features/stageCode/threads/stageEngine.ts'
import { wireOf } from '../../../src/features/stageCode/threads/wire.ts'
import type { Picture } from '../../../src/scenario/model/sources.ts'
import { listen } from '../../engine/threads/runRecording.ts'
import { diamond, scenarioWith } from '../../fixtures/scenarios.ts'
import { serveStageCode } from './quickJsThread.ts'

interface ThreadOrder {
  readonly start: number
  readonly codes: readonly (readonly [number, string])[]
  readonly seed: number
}
/** What the frame of a test does with an order to start a thread. `frame` leads back to the engine. */
type InFrame = (port: MessagePort, order: ThreadOrder, frame: MessagePort) => void

const noOwn: StartThread = () => expect.fail('all stages have code')

/** Each turn of the loop delivers what was sent before it. */
async function turns(count: number) {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), passed }
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Plays a scenario whose threads are what the frame does with each order to start one. */
function begun(input: object, start: InFrame, { startOwn = noOwn, cores = 2, file = null as Blob | null } = {}) {
  const { port1, port2 } = new MessageChannel()
  const ports: MessagePort[] = []
  const orders: ThreadOrder[] = []
  const ended: number[] = []
  let gone = 0
  let wake = () => {}
  let skipped = 0
  const ticks = new Set<() => void>()
  port2.onmessage = ({ data, ports: [port] }) => {
    if ('end' in data) ended.push(data.end)
    else if ('gone' in data) gone++
    else {
      orders.push(data)
      ports.push(port)
      start(port, data, port2)
    }
    wake()
  }
  const environment = {
    ...{ now: () => wallMicros() + skipped, cores, start: startOwn },
    after(milliseconds: number, call: () => void) {
      const timer = setTimeout(call, milliseconds)
      return () => clearTimeout(timer)
    },
    every(_: number, call: () => void) {
      ticks.add(call)
      return () => void ticks.delete(call)
    },
  }
  const scenario = scenarioWith(input)
  const recording = listen(scenario)
  const engine = createStageEngine(port1, environment, { file })
  closing.push(() => {
    for (const port of [port1, port2, ...ports]) port.close()
  })
  return {
    ...{ engine, ending: engine.start(scenario, recording.listener), orders, ended, recording, frame: port2 },
    /** How often the engine said that the frame is gone. */
    gone: () => gone,
    /** Resolves when the frame has started this many threads, and ended this many. */
    async framed(starts: number, ends = 0) {
      while (orders.length < starts || ended.length < ends) await new Promise<void>((resolve) => (wake = resolve))
    },
    /** Lets this time pass, tick by tick. */
    pass(milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += 100) {
        skipped += 100_000
        for (const tick of ticks) tick()
      }
    },
  }
}

async function played(...args: Parameters<typeof begun>) {
  const { ending, orders, recording } = begun(...args)
  await ending
  const { output, endings, failures, tiles } = recording
  const text = output === null ? null : await output.blob.text()
  return { text, output, endings, tiles, reasons: failures.map(({ reason }) => reason), started: orders.length, orders }
}

const inQuickJs: InFrame = (port, { codes, seed }) => void serveStageCode({ port, codes, seed })

/** The text of a value, perhaps with its bytes; null: the thread breaks. */
type Answer = string | readonly [text: string, bytes: Uint8Array] | null
interface Asked {
  readonly value: unknown
  readonly job: number
  readonly stage: number
  readonly tries: number
}

/** A thread that this test plays: it greets, tells its clock, and gives these answers, as a thread would that is not ours. */
const answering =
  (answer: (asked: Asked) => Answer | Promise<Answer>): InFrame =>
  (port) => {
    port.onmessage = async ({ data }) => {
      const head = JSON.parse(data[0])
      if ('clock' in head) return port.postMessage(`{"clock":${wallMicros()}}`)
      const answers = await Promise.all(
        head.jobs.map((job: number, k: number) =>
          answer({ value: JSON.parse(data[1 + k]), job, stage: head.stage, tries: head.tries[k] }),
        ),
      )
      if (answers.includes(null)) return port.postMessage('{"broken":true}')
      const bytes: number[] = []
      const values = answers.map((one: string | readonly [string, Uint8Array]) => {
        if (typeof one === 'string') return [one, -1, 0]
        const at = bytes.length
        bytes.push(...one[1])
        return [one[0], at, one[1].length]
      })
      const began = wallMicros()
      const text = JSON.stringify({
        number: head.number,
        began,
        ended: values.map((_, k) => began + k + 1),
        values,
        thrown: [],
      })
      port.postMessage(bytes.length === 0 ? text : [text, new Uint8Array(bytes).buffer])
    }
    port.postMessage('{"ready":true}')
  }
const breaks: InFrame = (port) => port.postMessage('{"left":"fetch"}')

/** A thread of our own, which does the work of kernels. */
const ownThreads: StartThread = () => {
  const port: ReturnType<StartThread>['port'] = {
    onmessage: null,
    async postMessage({ number, batch }) {
      await null
      const kernel = kernelOf(batch.work)
      const payloads = kernel === null ? null : await Promise.all((batch.payloads ?? []).map(kernel))
      const began = wallMicros()
      const reply = { began, ended: batch.jobs.map((_, k) => began + k + 1), threw: null, payloads }
      port.onmessage?.({ data: { number, reply } } as Parameters<NonNullable<typeof port.onmessage>>[0])
    },
  }
  return {
    port,
    hello: async () => true,
    clock: async () => wallMicros(),
    hangAt: async () => {},
    onEnd() {},
    end() {},
  }
}

const stage = (id: string, code = 'export default (x) => x', mean = 1_000_000) => ({
  id,
  work: { code },
  service: { kind: 'constant', mean },
})
const valuesOf = (count: number) => ({ kind: 'values', values: Array.from({ length: count }, (_, n) => n) })

test('values go through the code of one stage after the other, and come out in the order of the jobs', async () => {
  const { text, endings, reasons, output } = await played(
    {
      source: { kind: 'values', values: [1, 2, 3, 4, 5] },
      stages: [
        stage('A', 'export default (n) => [n, n * n]'),
        stage('B', 'export default ([n, square]) => ({ n, square, bytes: new Uint8Array([n]) })'),
      ],
      workers: 2,
    },
    inQuickJs,
  )
  expect([endings, reasons, output?.records, output?.plain]).toEqual([['drained'], [], 5, false])
  expect(text).toBe([1, 2, 3, 4, 5].map((n) => `{"n":${n},"square":${n * n},"bytes":[${n}]}\n`).join(''))
})

test('the frame gets the seed and the code of each stage by its number; the other stages are served by threads of our own', async () => {
  const seen: unknown[] = []
  const { orders, text, reasons } = await played(
    {
      source: { kind: 'values', values: [{ a: ' x ' }, { a: 'y' }] },
      stages: [
        { id: 'A', work: 'wait', service: { kind: 'constant', mean: 10 } },
        stage('B', 'export default 1'),
        { id: 'C', work: 'validate' },
        stage('D', 'export default 2'),
        { id: 'E', work: 'wait', service: { kind: 'constant', mean: 10 } },
      ],
      ...{ workers: 1, seed: 77 },
    },
    answering(({ value, stage }) => {
      seen.push([stage, value])
      return stage === 1 ? JSON.stringify({ b: (value as { a: string }).a }) : JSON.stringify([value])
    }),
    { startOwn: ownThreads },
  )
  expect(orders).toEqual([
    {
      start: 0,
      codes: [
        [1, 'export default 1'],
        [3, 'export default 2'],
      ],
      seed: 77,
    },
  ])
  // A stage that only waits changes nothing; a kernel gets what the code gave.
  expect(seen).toHaveLength(4)
  expect(seen).toEqual(
    expect.arrayContaining([
      [1, { a: ' x ' }],
      [1, { a: 'y' }],
      [3, { b: 'x' }],
      [3, { b: 'y' }],
    ]),
  )
  expect([text, reasons]).toEqual(['[{"b":"x"}]\n[{"b":"y"}]\n', []])
})

test('the lines of a file go through the code, each as a text', async () => {
  const file = new Blob(['one\n"two"\n3'])
  const { text, reasons } = await played(
    { source: { kind: 'lines', jobs: 3 }, stages: [stage('A')], workers: 1 },
    answering(({ value }) => JSON.stringify([value])),
    { file },
  )
  expect([text, reasons]).toEqual(['["one"]\n["\\"two\\""]\n["3"]\n', []])
})

describe('the output of code', () => {
  const outputOf = (source: object, answer: Parameters<typeof answering>[0], rest: object = {}) =>
    played({ source, stages: [stage('A')], workers: 1, ...rest }, answering(answer))

  test('of texts alone is lines of text', async () => {
    const { text, output } = await played(
      {
        source: { kind: 'values', values: ['a', 'b'] },
        stages: [stage('A', 'export default (text) => text + "!"')],
        workers: 1,
      },
      inQuickJs,
    )
    expect([text, output?.plain, output?.blob.type]).toEqual(['a!\nb!\n', true, 'text/plain'])
  })

  test('is JSON lines as soon as one value is no text, also one that has a text in it', async () => {
    for (const other of ['7', '{"a":"b"}', '["b"]', 'null']) {
      const { text, output } = await outputOf(valuesOf(2), ({ job }) => (job === 0 ? '"a"' : other))
      expect([text, output?.plain, output?.blob.type]).toEqual([`"a"\n${other}\n`, false, 'application/json'])
    }
  })

  test('is counted in records and in bytes of UTF-8, and has their checksum', async () => {
    const { text, output } = await outputOf(valuesOf(2), () => '"ü"')
    const sha256 = createHash('sha256').update('ü\nü\n').digest('hex')
    expect([text, output]).toEqual([
      'ü\nü\n',
      { blob: expect.anything(), sha256, records: 2, bytes: 6, compressed: false, plain: true, picture: null },
    ])
  })

  test('is in the order of the jobs by number, in whichever order they left', async () => {
    const others = gate()
    let served = 0
    const answer = async ({ job }: Asked) => {
      if (job === 0) await others.passed
      else if (++served === 11) others.open()
      return `${job}`
    }
    const { text } = await outputOf(valuesOf(12), answer, { workers: 2 })
    expect(text).toBe(Array.from({ length: 12 }, (_, job) => `${job}\n`).join(''))
  })

  test('has a value that cannot be read as it came, in one line', async () => {
    // No text ends here, and no typed array is so long.
    const broken: Answer[] = ['"a\nb\nc', ['[{"\\u0000":["Uint8Array",\n9,\n9]}]', Uint8Array.of(1)]]
    const outputs = await Promise.all(
      broken.map((answer) => outputOf(valuesOf(2), ({ job }) => (job === 0 ? answer : '"b"'))),
    )
    expect(outputs.map(({ text }) => text)).toEqual(['"a b c\nb\n', '[{"\\u0000":["Uint8Array", 9, 9]}]\n"b"\n'])
    expect(outputs.map(({ endings }) => endings)).toEqual([['drained'], ['drained']])
  })

  test('has nothing of a job that failed', async () => {
    const { text, output, reasons } = await outputOf(valuesOf(3), ({ job }) => (job === 1 ? null : `${job}`))
    expect([text, output?.records, reasons.some((reason) => /^broke the rules of replies/.test(reason))]).toEqual([
      '0\n2\n',
      2,
      true,
    ])
  })
})

test('a stage behind several others gets what each of them gave, by the id of the stage', async () => {
  const seen: unknown[] = []
  const { text } = await played(
    {
      source: { kind: 'values', values: ['x'] },
      stages: ['A', 'B', 'C', 'D'].map((id) => ({ ...stage(id), ...(id === 'D' ? { join: 'all' } : {}) })),
      links: diamond,
      workers: 2,
    },
    answering(({ value, stage }) => {
      seen[stage] = value
      return JSON.stringify([value, stage])
    }),
  )
  expect(seen).toEqual(['x', ['x', 0], ['x', 0], { B: [['x', 0], 1], C: [['x', 0], 2] }])
  expect(text).toBe(`${JSON.stringify([seen[3], 3])}\n`)
})

describe('a picture that code makes', () => {
  const picture: Picture = { kind: 'image', width: 20, height: 12, tile: 8, x: -0.6, y: 0, span: 3.2, iterations: 50 }
  const pixelsOf = (tile: Tile, job: number) => new Uint8Array(4 * tile.width * tile.height).fill(10 * job + 5)
  const painted = ({ value, job }: Asked): readonly [string, Uint8Array] => {
    const tile = value as Tile
    const { text, bytes } = wireOf({ ...tile, pixels: pixelsOf(tile, job) })
    return [text, bytes as Uint8Array]
  }
  const play = (answer: Parameters<typeof answering>[0]) =>
    played({ source: picture, stages: [stage('A')], workers: 2 }, answering(answer))

  test('is put together from its tiles, which are also shown as they leave', async () => {
    const { output, tiles } = await play(painted)
    const plain = createPicturePayloads(picture)
    for (const job of [0, 1, 2, 3, 4, 5]) {
      const tile = plain.at(job, 0) as Tile
      plain.put(job, 0, { ...tile, pixels: pixelsOf(tile, job) })
      plain.release(job)
    }
    const { blob: _, ...expected } = await plain.output()
    expect(output).toMatchObject(expected)
    expect(tiles.map(({ job }) => job).sort()).toEqual([0, 1, 2, 3, 4, 5])
    for (const { job, pixels } of tiles) expect(new Set(pixels)).toEqual(new Set([10 * job + 5]))
  })

  test('is no picture as soon as one value is no tile: the output has those values, and the tiles are still shown', async () => {
    const { output, text, tiles } = await play((asked) =>
      asked.job === 2 ? '7' : asked.job === 4 ? ['[{"\\u0000":["Uint8Array",9,9]}]', Uint8Array.of(1)] : painted(asked),
    )
    expect([output?.picture, output?.records, text]).toEqual([null, 2, '7\n[{"\\u0000":["Uint8Array",9,9]}]\n'])
    expect(tiles.map(({ job }) => job).sort()).toEqual([0, 1, 3, 5])
  })

  test('without any tile is lines, also where there is no value at all', async () => {
    const { output, text, tiles } = await play(({ job }) => `${job}`)
    expect([output?.picture, text, tiles]).toEqual([null, '0\n1\n2\n3\n4\n5\n', []])
    const failed = await play(() => null)
    expect([failed.output?.picture, failed.output?.records, failed.text]).toEqual([null, 0, ''])
  })
})

describe('a thread that is lost', () => {
  test.each<[string, InFrame, string]>([
    [
      'leaves a name of the browser in its scope',
      breaks,
      'could not be started: a name of the browser could not be deleted in it: fetch',
    ],
    [
      'cannot be loaded',
      (_, { start }, frame) => frame.postMessage({ thread: start, words: 'no such file' }),
      'could not be loaded: no such file',
    ],
  ])('before it has greeted is replaced until sixteen in a row were lost, where each %s', async (_, start, reason) => {
    const { started, endings, reasons } = await played({ source: valuesOf(1), stages: [stage('A')], workers: 1 }, start)
    expect([started, endings, new Set(reasons.slice(0, 16))]).toEqual([16, ['stuck'], new Set([reason])])
  })

  test('before it has greeted is replaced until sixteen in a row were lost, where each falls silent; each time the frame is gone', async () => {
    const { ending, framed, orders, pass, recording, gone } = begun(
      { source: valuesOf(1), stages: [stage('A')], workers: 1 },
      () => {},
    )
    for (let started = 1; started <= 16; started++) {
      await framed(started, started - 1)
      pass(31_000)
    }
    await ending
    await turns(2)
    expect([orders.length, recording.endings, gone()]).toEqual([16, ['stuck'], 16])
  })

  test('before it has greeted does not mean that the frame is gone, if another thread there is alive', async () => {
    const { ending, framed, pass, gone } = begun(
      { source: valuesOf(2), stages: [stage('A')], workers: 2 },
      (port, order, frame) => (order.start === 1 ? undefined : answering(() => '1')(port, order, frame)),
    )
    await framed(2)
    await turns(20)
    pass(4000)
    await framed(2, 1)
    await ending
    expect(gone()).toBe(0)
  })

  test('after it has greeted is always replaced: where twenty are lost at once, as many are started before one of them greets', async () => {
    let together = 0
    const [allAtWork, open] = [gate(), gate()]
    const dying = answering(async ({ tries }) => {
      if (tries > 1) return '1'
      if (++together === 20) allAtWork.open()
      await allAtWork.passed
      return null
    })
    let first = 0
    const { ending, orders, framed, recording } = begun(
      { source: valuesOf(20), stages: [stage('A')], workers: 20 },
      (port, order, frame) =>
        ++first <= 20 ? dying(port, order, frame) : void open.passed.then(() => dying(port, order, frame)),
      { cores: 20 },
    )
    await framed(20, 20)
    await turns(100)
    expect(orders).toHaveLength(40)
    open.open()
    await ending
    expect([recording.endings, recording.output?.records, orders.length]).toEqual([['drained'], 20, 40])
  })

  test('counts from 0 again after each thread that greets: bad starts between good ones end no run', async () => {
    let nth = 0
    const serving = () => {
      let jobs = 0
      return answering(({ job }) => (++jobs > 1 ? null : `${job}`))
    }
    const { started, endings, text } = await played(
      { source: valuesOf(18), stages: [stage('A')], workers: 1 },
      (port, order, frame) => (nth++ % 2 === 0 ? breaks : serving())(port, order, frame),
    )
    expect([started, endings, text]).toEqual([
      36,
      ['drained'],
      valuesOf(18)
        .values.map((n) => `${n}\n`)
        .join(''),
    ])
  })

  test('is distinguished from the others: words of the frame reach the thread that they are about, for as long as it serves', async () => {
    const told = gate()
    const starts: number[] = []
    const { reasons, endings } = await played(
      { source: valuesOf(2), stages: [stage('A')], workers: 2 },
      (port, order, frame) => {
        starts.push(order.start)
        answering(async ({ job, tries }) => {
          // The first thread of this job is lost.
          if (job === 1 && tries === 1) return null
          if (job === 1) {
            // Of the thread that is lost, of one that does not exist, and of this one.
            for (const thread of [1, 99, order.start]) frame.postMessage({ thread, words: `an odd thing of ${thread}` })
            void turns(10).then(told.open)
          }
          await told.passed
          return '1'
        })(port, order, frame)
      },
    )
    expect(starts).toEqual([0, 1, 2])
    expect([reasons.filter((reason) => reason.includes('odd')), endings]).toEqual([
      ['reported an error outside its work and continues: an odd thing of 2'],
      ['drained'],
    ])
  })
})

test('a batch may take ten times its own declared service time', async () => {
  const atWork = gate()
  const silent = answering(() => {
    atWork.open()
    return new Promise<never>(() => {})
  })
  const { engine, ending, framed, pass, ended, recording } = begun(
    {
      source: valuesOf(1),
      stages: [stage('A', 'export default 1', 1_000_000), stage('B', 'export default 2', 3_000_000)],
      workers: 1,
    },
    silent,
    { cores: 1 },
  )
  await atWork.passed
  pass(9_500)
  // A thread that is given up is ended at once.
  await turns(5)
  expect(ended).toEqual([])
  pass(1000)
  await framed(2, 1)
  engine.stop()
  await ending
  expect(recording.failures.map(({ reason }) => reason)).toEqual(['has not answered and is given up'])
})

test('a run that is stopped ends its threads, and has no output', async () => {
  const atWork = gate()
  const { engine, ending, framed, recording, ended } = begun(
    { source: valuesOf(3), stages: [stage('A')], workers: 1 },
    answering(({ job }) => {
      if (job === 0) return '0'
      atWork.open()
      return new Promise<never>(() => {})
    }),
  )
  await atWork.passed
  engine.stop()
  await Promise.all([ending, framed(1, 1)])
  expect([recording.endings, recording.output, ended]).toEqual([['stopped'], null, [0]])
})

test('a job that comes again at a stage says which try it is there, whichever other jobs and stages are tried again', async () => {
  const tries = new Map<string, number[]>()
  await played(
    { source: valuesOf(5), stages: [stage('A'), stage('B'), stage('C')], workers: 2 },
    answering(({ job, stage, tries: nth }) => {
      const at = `${job} at ${stage}`
      tries.set(at, [...(tries.get(at) ?? []), nth])
      return nth === 1 ? null : '1'
    }),
  )
  expect(tries.size).toBe(15)
  for (const [at, seen] of tries) expect(seen, at).toEqual([1, 2])
})
