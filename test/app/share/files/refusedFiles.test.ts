import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { traceFileStore } from '../../../../src/app/session/page/showing.ts'
import { takeFile, unreadableReason } from '../../../../src/app/share/files/input.ts'
import { looksLikeTrace, openTrace } from '../../../../src/app/share/files/openTrace.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { writeTraceJson } from '../../../../src/trace/formats/traceJson.ts'
import { scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { messagesOf, openPage, titleOf } from '../../pages.ts'

const fileOf = (name: string, text: string, type = '') => new File([text], name, { type })
const traceText = [...writeTraceJson(await playSimulation(scenarioWith(workedExample), 0))].join('')
const sized = (text: string, size: number) =>
  Object.defineProperty(fileOf('some.trace.json', text), 'size', { value: size })

beforeEach(() => {
  threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a file', () => {
  test.each([
    ['image/png', 'is a file of the kind image.'],
    ['image/svg+xml', 'is a file of the kind image.'],
    ['audio/ogg', 'is a file of the kind audio.'],
    ['video/mp4', 'is a file of the kind video.'],
    ['font/woff2', 'is a file of the kind font.'],
    ['application/zip', 'is a file of the kind application/zip.'],
    ['application/pdf', 'is a file of the kind application/pdf.'],
    ['application/gzip', 'is a file of the kind application/gzip.'],
    ['application/x-gzip', 'is a file of the kind application/x-gzip.'],
    ['application/x-tar', 'is a file of the kind application/x-tar.'],
  ])('of the type %s is refused before it is read', async (type, words) => {
    const file = fileOf('a.txt', 'text', type)
    const slice = vi.spyOn(file, 'slice')
    expect(await unreadableReason(file)).toContain(`a.txt ${words} Allowed: `)
    expect(slice).not.toHaveBeenCalled()
  })

  test.each([
    '',
    'text/plain',
    'application/json',
    'application/zipper',
    'text/image',
    'imagery/png',
    'application/octet-stream',
    'application/vnd.image/png',
  ])('of the type %j is read as text', async (type) => {
    expect(await unreadableReason(fileOf('a.bin', 'text', type))).toBeNull()
  })

  test('that is a folder, or may not be read, is refused', async () => {
    const folder = fileOf('folder', '')
    vi.spyOn(folder, 'slice').mockImplementation(
      () => ({ arrayBuffer: () => Promise.reject(new Error('no')) }) as unknown as Blob,
    )
    expect(await unreadableReason(folder)).toContain('folder is a folder, or an unreadable file.')
  })

  test('is looked at in its first 65,536 bytes alone', async () => {
    const clean = 'x'.repeat(65_536)
    expect(await unreadableReason(fileOf('a', `${clean}\0`))).toBeNull()
    expect(await unreadableReason(fileOf('a', `${clean.slice(1)}\0`))).toContain('no UTF-8 text')
  })

  test('with a name that turns the text around is named safely', async () => {
    expect(await unreadableReason(fileOf('a\u202egnp.exe', '\0'))).toMatch(/^a·gnp\.exe is no UTF-8 text/)
  })

  test.each(['a.json', 'A.JSON', 'a.Json'])('named %s with stages is a scenario', async (name) => {
    const { session } = openPage()
    await takeFile(session, fileOf(name, JSON.stringify(workedExample)))
    expect([titleOf(session), messagesOf(session)]).toEqual(['Worked example', ''])
  })

  test.each(['a.json.txt', 'json', 'a.jsonl'])('named %s is none', async (name) => {
    const { session } = openPage()
    const before = titleOf(session)
    await takeFile(session, fileOf(name, JSON.stringify(workedExample)))
    expect(titleOf(session)).toBe(before)
  })
})

describe('a trace', () => {
  test.each([
    [4096 - '"apportion-trace"'.length, true],
    [4097 - '"apportion-trace"'.length, false],
  ])('is known by its name in the first 4,096 bytes: after %d bytes', async (before, known) => {
    expect(await looksLikeTrace(fileOf('x', `${' '.repeat(before)}"apportion-trace"`))).toBe(known)
  })

  test.each(['apportion-trace', '"apportion-traces"', "'apportion-trace'"])('is not known by %s', async (text) => {
    expect(await looksLikeTrace(fileOf('x', text))).toBe(false)
  })

  test.each([
    [50_000_000, 'Worked example', null],
    [50_000_001, null, 'waits'],
  ])('of %d bytes opens at once, or waits', async (size, title, waits) => {
    const { session } = openPage()
    const before = titleOf(session)
    const file = sized(traceText, size)
    await openTrace(session, file)
    expect([titleOf(session), traceFileStore(session).getState().file]).toEqual([
      title ?? before,
      waits === null ? null : file,
    ])
  })
})
