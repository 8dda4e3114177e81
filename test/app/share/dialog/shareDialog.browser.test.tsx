import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { noAddress } from '../../../../src/app/session/address.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { ShareDialog } from '../../../../src/app/share/dialog/ShareDialog.tsx'
import { readFragment } from '../../../../src/scenario/link/codec.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { removeShown, shownHere, textsOf } from '../../../fixtures/shownHere.tsx'

afterEach(() => {
  removeShown()
  vi.restoreAllMocks()
})

const usual = {
  title: 'Rush <hour>',
  source: { kind: 'batch', jobs: 6 },
  stages: [
    { id: 'A', name: 'Read', service: { kind: 'constant', mean: 1000 } },
    { id: 'B', name: 'Write', service: { kind: 'constant', mean: 2000 } },
  ],
  workers: 2,
}

/** The dialog over this scenario. `before` is called before it is shown. */
function dialogOf(scenario: Scenario, before: (session: Session) => void = () => {}) {
  const session = createSession({ ...noAddress, read: () => new URL('https://apportion.example/play/?lang=en#s=1') })
  open(session, scenario)
  before(session)
  const closed = vi.fn()
  const host = shownHere(<ShareDialog onClose={closed} />, session)
  const field = (label: RegExp | string) =>
    (
      page.getByRole('textbox', { name: label, exact: typeof label === 'string' }).element() as
        | HTMLInputElement
        | HTMLTextAreaElement
    ).value
  const link = () => field(/^Link \d/)
  const asked = () => new URL(link())
  const opened = () => {
    const read = readFragment(asked().hash)
    return read.found === 'scenario' ? read : expect.fail(`the link has ${read.found}`)
  }
  const check = (name: RegExp) => page.getByRole('checkbox', { name }).click()
  return { session, host, field, link, asked, opened, check, closed, text: () => host.textContent ?? '' }
}

describe('the dialog Share', () => {
  test('gives a link without the fragment that the page had, and counts its characters', () => {
    const scenario = scenarioWith(usual)
    const { link, opened, text, host } = dialogOf(scenario)
    expect(link()).toMatch(/^https:\/\/apportion\.example\/play\/(\?lang=en)?#s=[^#]+$/)
    expect(opened().scenario).toEqual(scenario)
    expect(text()).toContain(`${link().length} characters`)
    expect([host.querySelector('meter')?.value, textsOf(host, '.link-length span')]).toEqual([link().length, ['']])
    expect(host.querySelector('.link-length span')?.className).toBe('soft')
  })

  test('warns of a link that chats cut off, and of one that is longer than links may be', () => {
    const points = (count: number) =>
      Array.from({ length: count }, (_, k) => [1000 * k + ((k * 7919) % 997), 1 + ((k * 104_729) % 9973)])
    const drawn = (count: number) =>
      scenarioWith({ ...usual, source: { kind: 'curve', points: points(count), jobs: 50 } })
    const { host, link } = dialogOf(drawn(600))
    expect(link().length).toBeGreaterThan(2000)
    expect([host.querySelector('meter')?.value, textsOf(host, '.link-length .warning')]).toEqual([
      2000,
      ['Many chats cut off after 2,000 characters.'],
    ])
    removeShown()
    for (const [count, most, words] of [
      [8000, 65_000, 'Many chats cut off after 2,000 characters.'],
      [9000, 71_000, 'Too long for a link. Save it as a file.'],
    ] as const) {
      const { host, asked } = dialogOf(drawn(count))
      expect([asked().hash.length < most, textsOf(host, '.link-length .warning')]).toEqual([true, [words]])
      removeShown()
    }
  })

  test('says how many branches go along, and that a file stays', () => {
    const branches = [{ at: 1000, workers: 3 }]
    expect(dialogOf(scenarioWith({ ...usual, branches })).text()).toContain('With 1 branch')
    removeShown()
    const lines = { ...usual, source: { kind: 'lines', jobs: 6 }, stages: [{ id: 'A', work: 'parseJson' }] }
    expect(dialogOf(scenarioWith(lines)).text()).toContain('The file stays with you')
  })

  test('lets the link start the run, on the engine that is chosen, and ask for a guess; a room has no such link', async () => {
    const { opened, asked, check, session, text } = dialogOf(scenarioWith(usual))
    expect([opened().opening.run, asked().searchParams.has('guess')]).toEqual([null, false])
    await check(/starts at once/)
    await check(/how long will it take/)
    expect([opened().opening.run, asked().searchParams.has('guess')]).toEqual(['simulation', true])
    runStore(session).setState({ engine: 'threads' })
    await expect.poll(() => opened().opening.run).toBe('threads')
    await check(/starts at once/)
    expect([opened().opening.run, asked().searchParams.has('guess')]).toEqual([null, true])
    runStore(session).setState({ engine: 'room' })
    await expect.poll(text).not.toContain('With the run, which starts at once')
  })
})
