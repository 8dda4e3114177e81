import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { controlStore } from '../../../../src/app/base/page/hiddenControls.ts'
import { themeStore } from '../../../../src/app/base/page/theme.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { open, scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../../src/app/session/session.ts'
import { SessionContext } from '../../../../src/app/session/useSession.ts'
import { EmbedPage } from '../../../../src/app/shell/embed/EmbedPage.tsx'
import { readFragment, toShortFragment } from '../../../../src/scenario/link/codec.ts'
import { MAX_SHORT } from '../../../../src/scenario/model/limits.ts'
import { defaultPalette } from '../../../../src/views/drawing/palette.ts'
import { madeUpAddress } from '../../../fixtures/madeUpAddress.ts'
import { pageHere } from '../../../fixtures/pageHere.ts'
import { pageSession } from '../../../fixtures/pageSession.ts'
import { scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'

beforeEach(() => {
  pageHere()
  themeStore.setState({ palette: defaultPalette('light') })
})
afterEach(() => {
  themeStore.setState({ palette: null })
  vi.unstubAllGlobals()
})

/** The markup of the page in a frame, as it is first rendered. */
function markupOf(session: Session): string {
  // Without a browser React renders the first state of a store, here the present one.
  for (const store of [scenarioStore(session), runStore(session), controlStore])
    Object.assign(store, { getInitialState: store.getState })
  return renderToStaticMarkup(
    <SessionContext value={session}>
      <EmbedPage problems={[]} />
    </SessionContext>,
  )
}

const pageWith = (scenario: object, query = '?embed&origin=https://blog.example') => {
  const session = pageSession(madeUpAddress(query))
  open(session, scenarioWith(scenario))
  return session
}
const linkIn = (html: string) => /<a class="open-link"[^>]*>/.exec(html)?.[0] ?? expect.fail('there is no link')
const addressIn = (html: string) => (/ href="([^"]*)"/.exec(linkIn(html))?.[1] ?? '').replaceAll('&amp;', '&')

describe('the page in a frame', () => {
  test('opens the same scenario, with its branches, in the whole page: in another tab, which cannot reach back', () => {
    const forked = { ...workedExample, branches: [{ at: 500_000, title: 'With five', workers: 5 }] }
    const session = pageWith(forked)
    const html = markupOf(session)
    // Neither that it is in a frame nor the page around is part of the link.
    expect(addressIn(html)).toBe(`/play/${toShortFragment(scenarioWith(forked))}`)
    for (const attribute of ['target="_blank"', 'rel="noopener"', 'data-control="link"'])
      expect(linkIn(html)).toContain(attribute)
  })

  test('gives a scenario that is too long for a short link as JSON', () => {
    let state = 1
    const at = Array.from({ length: 30_000 }, () => {
      state = (state * 48_271) % 2_147_483_647
      return state
    })
    const long = { ...workedExample, source: { kind: 'times', at: at.sort((a, b) => a - b) } }
    expect(toShortFragment(scenarioWith(long)).length).toBeGreaterThan(MAX_SHORT)
    const address = addressIn(markupOf(pageWith(long)))
    expect(address).toMatch(/^\/play\/#json=/)
    expect(readFragment(address.slice('/play/'.length))).toMatchObject({
      found: 'scenario',
      scenario: scenarioWith(long),
    })
  })

  test('has one button that runs, and while it runs one that stops', () => {
    const session = pageWith(workedExample)
    const button = () => /<button[^>]*data-control="run"[^>]*>([^<]*)</.exec(markupOf(session))?.[1]
    expect(button()).toBe('Run')
    runStore(session).setState({ phase: 'running' })
    expect(button()).toBe('Stop')
    runStore(session).setState({ phase: 'ended' })
    expect(button()).toBe('Run')
  })
})
