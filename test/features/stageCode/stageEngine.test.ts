import { expect, test } from 'vitest'
import { wallMicros } from '../../../src/engine/conductor/environment.ts'
import { createStageEngine } from '../../../src/features/stageCode/threads/stageEngine.ts'
import { serveStageCode } from '../../../src/features/stageCode/threads/stageSandbox.ts'
import { listen } from '../../engine/threads/runRecording.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

/** Plays a scenario whose threads are what the frame does with each order to start one. */
async function played(
  input: object,
  start: (port: MessagePort, data: { readonly start: number; readonly codes: readonly (readonly [number, string])[]; readonly seed: number }) => void,
) {
  const { port1, port2 } = new MessageChannel()
  const ports: MessagePort[] = []
  let started = 0
  port2.onmessage = ({ data, ports: [port] }) => {
    if ('end' in data) return
    started++
    ports.push(port)
    start(port, data)
  }
  port2.postMessage({ slower: 500 })
  const environment = {
    ...{ now: wallMicros, cores: 2, start: () => expect.fail('all stages have code') },
    after(milliseconds: number, call: () => void) {
      const timer = setTimeout(call, milliseconds)
      return () => clearTimeout(timer)
    },
    every(milliseconds: number, call: () => void) {
      const timer = setInterval(call, milliseconds)
      return () => clearInterval(timer)
    },
  }
  const scenario = scenarioWith(input)
  const recording = listen(scenario)
  try {
    await createStageEngine(port1, environment, {}).start(scenario, recording.listener)
  } finally {
    for (const port of [port1, port2, ...ports]) port.close()
  }
  const { output, endings, failures } = recording
  return { text: output === null ? null : await output.blob.text(), output, endings, reasons: failures.map(({ reason }) => reason), started }
}

const inQuickJs = (port: MessagePort, { codes, seed }: { readonly codes: readonly (readonly [number, string])[]; readonly seed: number }) =>
  void serveStageCode({ port, codes, seed })
const stage = (id: string, code: string) => ({ id, work: { code }, service: { kind: 'constant', mean: 1000 } })

test('values go through the code of one stage after the other, and come out in the order of the jobs', async () => {
  const { text, endings, reasons, output } = await played(
    {
      source: { kind: 'values', values: [1, 2, 3, 4, 5] },
      stages: [stage('A', 'export default (n) => [n, n * n]'), stage('B', 'export default ([n, square]) => ({ n, square, bytes: new Uint8Array([n]) })')],
      workers: 2,
    },
    inQuickJs,
  )
  expect([endings, reasons, output?.records, output?.plain]).toEqual([['drained'], [], 5, false])
  expect(text).toBe([1, 2, 3, 4, 5].map((n) => `{"n":${n},"square":${n * n},"bytes":[${n}]}\n`).join(''))
})

test('an output of texts alone is lines of text', async () => {
  const { text, output } = await played(
    { source: { kind: 'values', values: ['a', 'b'] }, stages: [stage('A', 'export default (text) => text + "!"')], workers: 1 },
    inQuickJs,
  )
  expect([text, output?.plain]).toEqual(['a!\nb!\n', true])
})

test('where each thread breaks before it has served, no more than sixteen are started in its place, and the run ends', async () => {
  const { started, endings, reasons } = await played(
    { source: { kind: 'values', values: [1] }, stages: [stage('A', 'export default (n) => n')], workers: 1 },
    (port) => port.postMessage('{"left":"fetch"}'),
  )
  expect(started).toBeGreaterThan(1)
  expect(started).toBeLessThanOrEqual(17)
  expect([endings, reasons.every((reason) => reason.includes('could not be deleted in it: fetch'))]).toEqual([['stuck'], true])
})
