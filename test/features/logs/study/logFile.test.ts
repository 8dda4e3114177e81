import { describe, expect, test } from 'vitest'
import { logPointsOf } from '../../../../src/features/logs/measure/logPoints.ts'
import { openLoopOf, queuesOf, seatsHad } from '../../../../src/features/logs/measure/openLoop.ts'
import { createLogReading, type LogFileRead } from '../../../../src/features/logs/study/logFile.ts'
import type { Policy } from '../../../../src/scenario/model/scenario.ts'
import { PART, partedFile } from '../../../runs/files/partedFile.ts'
import { csvOf, soundLog } from '../read/logFiles.ts'

const leastTotalTime: Policy = { kind: 'leastScore', lend: false }
const rows = Array.from({ length: 12 }, (_, k) => ({
  time: (k >> 1) * 1e6,
  stage: 'AB'[k % 2],
  queue: (5 * k) % 7,
  service: 1000 + 300 * k,
  workers: 1 + (k % 4),
}))

/** Each row of this many bytes, of which a note takes most. */
function longRows(bytes: number, count: number): string {
  const head = 'time,stage,queue,service_ms,workers,note\n'
  const row = (k: number) => {
    const numbers = `${k},A,${k % 5},2,3,`
    return `${numbers}${'x'.repeat(bytes - numbers.length - 1)}\n`
  }
  const [first, ...others] = Array.from({ length: count }, (_, k) => row(k))
  return [head, first.slice(0, -1 - head.length), '\n', ...others].join('')
}

const sample = (stage: string, name: string, all: readonly number[]) => ({
  metric: { __name__: name, stage },
  values: all.map((value, k) => [k, String(value)]),
})
function seriesOf(queue: string, service: string): string {
  const result = ['A', 'B'].flatMap((stage, s) => [
    sample(stage, queue, [3 + s, 4, 5]),
    sample(stage, service, [2, 3, 4 + s]),
  ])
  return JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } })
}

async function readHere(content: string) {
  const reading = createLogReading()
  const { file, read } = partedFile(content)
  const shares: number[] = []
  return { reading, read, shares, answer: await reading.readLogFile(file, null, (share) => shares.push(share)) }
}

function logIn(answer: LogFileRead) {
  if (answer.kind !== 'log') throw new Error(`found ${JSON.stringify(answer)}`)
  return answer
}

describe('a log', () => {
  test('is read in parts, and each tells how far it is', async () => {
    const text = longRows(1 << 19, 16)
    expect(text.length).toBe(2 * PART)
    const whole = await readHere(text)
    expect([whole.read, whole.shares]).toEqual([
      [
        [0, PART],
        [PART, 2 * PART],
      ],
      [0, 0.5, 1],
    ])
    expect(logIn(whole.answer).log.points.length).toBe(16)
    const longer = await readHere(`${text}16,A,1,2,3,\n`)
    expect([longer.read.length, logIn(longer.answer).log.points.length]).toEqual([3, 17])
  })

  test('is not read further after an error', async () => {
    const { read, shares, answer } = await readHere(`\0${longRows(1 << 19, 16)}`)
    expect([read.length, shares]).toEqual([1, [0, 1]])
    expect(answer).toEqual({
      kind: 'refused',
      problems: [{ path: '', message: 'the file cannot be read; allowed: CSV or JSON, in UTF-8' }],
    })
  })

  test('comes with its points, queues and seats, the bad rows and what is wrong with them', async () => {
    const text = csvOf(rows)
    const { answer } = await readHere(`${text}\nh1,broken,A,1,1,1`)
    const { log, bad, problems, notes } = logIn(answer)
    const points = logPointsOf(soundLog(text))
    expect(log).toEqual({ points, queues: queuesOf(points), had: seatsHad(points) })
    expect([bad, problems.map(({ path }) => path), notes]).toEqual([1, ['line 14'], []])
  })

  test('is evaluated on its thread under several policies, also after its copy was sent to the page', async () => {
    const { answer, reading } = await readHere(csvOf(rows))
    const points = logPointsOf(soundLog(csvOf(rows)))
    const { log } = logIn(answer).log.points
    structuredClone(log, { transfer: [log.time.buffer, log.queue.buffer] })
    expect(log.time.length).toBe(0)
    for (const policy of [leastTotalTime, { kind: 'jefferson', lend: false }] as const)
      expect(reading.weighLog(policy, 9)).toEqual(openLoopOf(points, policy, 9))
  })
})

describe('series', () => {
  test('whose names say what they measure are a log at once', async () => {
    const { answer, reading } = await readHere(seriesOf('queue_length', 'service_seconds'))
    expect(logIn(answer).log.points.log.stages).toEqual(['A', 'B'])
    expect(() => reading.mapLog({ stageLabel: 'stage', roles: ['queue', 'service_s'] })).toThrow('no series were read')
  })

  test('with unclear names are passed on with their labels, and become a log once the person assigns them, also at the second attempt', async () => {
    const { answer, reading } = await readHere(seriesOf('one', 'other'))
    const heads = ['A', 'B'].flatMap((stage) => ['one', 'other'].map((name) => ({ labels: { __name__: name, stage } })))
    expect(answer).toEqual({ kind: 'series', heads: { series: heads } })
    expect(() => reading.weighLog(leastTotalTime, 2)).toThrow('no log was read')
    expect(reading.mapLog({ stageLabel: 'stage', roles: ['nothing', 'nothing'] })).toMatchObject({
      kind: 'refused',
      problems: [expect.anything()],
    })
    const { log } = logIn(reading.mapLog({ stageLabel: 'stage', roles: ['queue', 'service_ms'] }))
    expect([log.points.log.stages, Array.from(log.points.log.queue), Array.from(log.points.log.service)]).toEqual([
      ['A', 'B'],
      [3, 4, 4, 4, 5, 5],
      [2000, 2000, 3000, 3000, 4000, 5000],
    ])
    expect(reading.weighLog(leastTotalTime, 3)).toEqual(openLoopOf(log.points, leastTotalTime, 3))
  })
})
