import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { start } from '../../../../src/app/session/run/startStop.ts'
import { undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../../src/app/session/session.ts'
import { takeFile, unreadableReason } from '../../../../src/app/share/files/input.ts'
import { takeAsLines } from '../../../../src/features/logs/page/logFile.ts'
import { MAX_TEXT } from '../../../../src/scenario/model/limits.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { canvasOf, messagesOf, openPage, scenarioOf, titleOf } from '../../pages.ts'

const scenario = {
  version: 1,
  title: 'From a file',
  source: { kind: 'batch', jobs: 3 },
  stages: [{ id: 'A' }],
  workers: 2,
}

const statusOf = (session: Session) => runStore(session).getState().status()
const engineOf = (session: Session) => runStore(session).getState().engine
const fileOf = (name: string, text: string, type = '') => new File([text], name, { type })
const linesOf = (n: number) => Array.from({ length: n }, (_, k) => `{"n":${k}}\n`).join('')

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  threads = threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a file that is dropped or chosen', () => {
  test('opens as a scenario if it is one', async () => {
    const { session } = openPage()
    await takeFile(session, fileOf('good.json', JSON.stringify(scenario)))
    expect(titleOf(session)).toBe('From a file')
    expect(messagesOf(session)).toBe('')
  })

  test('is refused with a reason if its scenario has a mistake, and the canvas stays', async () => {
    const { session } = openPage()
    const before = titleOf(session)
    await takeFile(session, fileOf('bad.json', JSON.stringify({ ...scenario, workers: 0 })))
    expect(messagesOf(session)).toMatch(/workers.*found 0.*1 to 10,000/)
    expect(titleOf(session)).toBe(before)
  })

  test('is no scenario above the size limit, whatever its name: it is not read whole, and its lines are offered as jobs', async () => {
    const text = JSON.stringify(scenario)
    const most = fileOf('most.json', text.padEnd(MAX_TEXT))
    const above = fileOf('above.json', text.padEnd(MAX_TEXT + 1))
    const { session } = openPage()
    const before = titleOf(session)
    const read = vi.spyOn(above, 'text')
    await takeFile(session, above)
    expect([titleOf(session), messagesOf(session), read.mock.calls.length]).toEqual([before, '', 0])
    takeAsLines(session)
    await expect.poll(() => statusOf(session)).toBe('above.json: 1 line. Press Run.')
    await takeFile(session, most)
    expect(titleOf(session)).toBe('From a file')
  })

  test('is text also where a letter of two bytes lies across the end of what is looked at', async () => {
    expect(await unreadableReason(fileOf('long.txt', `a${'ж'.repeat(40_000)}`))).toBeNull()
    expect(await unreadableReason(new File([new Uint8Array([0x61, 0xd0])], 'cut.txt'))).toBeNull()
    expect(await unreadableReason(new File([new Uint8Array([0xd0, 0x61])], 'wrong.txt'))).toMatch(/no UTF-8 text/)
  })

  test('becomes the input of the pipeline for records, a job for each line; undo brings back the pipeline before', async () => {
    const { session } = openPage()
    const before = titleOf(session)
    const file = fileOf('people.jsonl', linesOf(3))
    await takeFile(session, file)
    takeAsLines(session)
    await expect.poll(() => statusOf(session)).toBe('people.jsonl: 3 lines. Press Run.')
    expect(canvasOf(session).scenario.source).toMatchObject({ kind: 'lines', jobs: 3 })
    expect(engineOf(session)).toBe('threads')
    expect(runStore(session).getState().file).toBe(file)
    undo(session)
    expect(titleOf(session)).toBe(before)
  })

  test('is refused if it has no line', async () => {
    const { session } = openPage()
    const before = titleOf(session)
    await takeFile(session, fileOf('empty.txt', ' \n\n'))
    expect(messagesOf(session)).toMatch(/empty\.txt cannot be read: the file is empty/)
    expect([titleOf(session), statusOf(session)]).toEqual([before, 'Ready. Press Run.'])
  })
})

describe('while the lines of a file are counted', () => {
  test('another file may be dropped: the latest one stays', async () => {
    const { session } = openPage()
    const release = threads.hold()
    await takeFile(session, fileOf('first.jsonl', linesOf(3)))
    takeAsLines(session)
    await expect.poll(() => statusOf(session)).toBe('Reading first.jsonl.')
    await takeFile(session, fileOf('second.jsonl', linesOf(2)))
    takeAsLines(session)
    await expect.poll(() => statusOf(session)).toBe('Reading second.jsonl.')
    release()
    await expect.poll(() => statusOf(session)).toBe('second.jsonl: 2 lines. Press Run.')
    expect(canvasOf(session).scenario.source).toMatchObject({ kind: 'lines', jobs: 2 })
  })
})

describe('a pipeline that reads a file', () => {
  test('tells what is missing if there is no file', async () => {
    const { session } = openPage()
    openScenario(session, scenarioOf('log-lines'), 'threads')
    await start(session)
    expect(messagesOf(session)).toMatch(/This pipeline needs a file/)
    expect(runStore(session).getState()).toMatchObject({ phase: 'idle', run: null })
  })
})
