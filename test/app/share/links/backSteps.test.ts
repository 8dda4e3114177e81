import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDialog, showingStore } from '../../../../src/app/session/page/showing.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { openStep } from '../../../../src/app/share/links/backSteps.ts'
import { closeFront, closeWhenLeft, openFront, restoreFront } from '../../../../src/app/shell/front/frontPage.ts'
import { readFragment } from '../../../../src/scenario/link/codec.ts'
import { madeUpAddress } from '../../../fixtures/madeUpAddress.ts'
import { madeUpStorage } from '../../../fixtures/madeUpStorage.ts'
import { jsonLink, workedExample } from '../../../fixtures/scenarios.ts'
import { eachInMadeUpTime, fillWorkers, later, openPage, scenarioOf, titleOf, workersOf } from '../../pages.ts'

eachInMadeUpTime()

/** A page (at a first visit with its front page), and dialogs by name, opened and closed as by the components. */
function openVisit(first: boolean) {
  const page = openPage('', madeUpAddress(), (session) => first && openFront(session))
  const { session, address } = page
  let closed: (() => void) | null = null
  showingStore(session).subscribe(({ dialog }, before) => {
    if (dialog === before.dialog) return
    closed?.()
    closed = dialog === null ? null : openStep(session, () => openDialog(session, null))
  })
  let endFront: (() => void) | null = first ? closeWhenLeft(session) : null
  showingStore(session).subscribe(({ front }, before) => {
    if (front === before.front) return
    endFront?.()
    endFront = null
    if (front) {
      restoreFront(session)
      endFront = closeWhenLeft(session)
    }
  })
  const view = () => {
    const { front, dialog } = showingStore(session).getState()
    return { front, dialog, title: titleOf(session), workers: workersOf(session) }
  }
  return { session, address, view }
}

const step = fc.constantFrom(
  'back',
  'back',
  'back',
  'forward',
  'forward',
  'studio',
  'bursts',
  'tie',
  'edit',
  'about',
  'keys',
  'close',
  'link',
)

test('Back and Forward lead through the front page, scenarios and dialogs, each as it was left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 14 }), async (first, walk) => {
      madeUpStorage()
      const { session, address, view } = openVisit(first)
      await later()
      type View = ReturnType<typeof view>
      /** The history as a person would describe it. */
      let history: View[] = [view()]
      let at = 0
      const go = (to: View) => {
        history = [...history.slice(0, at + 1), to]
        at++
      }
      const here = () => history[at]
      let n = 2
      const close = () => {
        openDialog(session, null)
        if (here().dialog !== null) history = history.slice(0, at--)
      }
      const opens = (title: string, workers: number) => go({ front: false, dialog: null, title, workers })
      const acts: Record<string, () => void> = {
        back: () => {
          if (at > 0) at--
          address.go(-1)
        },
        forward: () => {
          if (at < history.length - 1) at++
          address.go(1)
        },
        studio: () => {
          if (!here().front || here().dialog !== null) return
          closeFront(session)
          go({ ...here(), front: false })
        },
        bursts: () => {
          close()
          openScenario(session, scenarioOf('bursts'))
          opens('Bursts', scenarioOf('bursts').workers)
        },
        tie: () => {
          close()
          openScenario(session, scenarioOf('a-tie'))
          opens('A tie', scenarioOf('a-tie').workers)
        },
        edit: () => {
          if (here().dialog !== null) return
          if (here().front) go({ ...here(), front: false })
          fillWorkers(session, ++n)
          // A dialog to which Forward leads stands over the page as it is.
          for (const k of [at, at + 1])
            if (k === at || history[k]?.dialog != null) history[k] = { ...history[k], workers: n }
        },
        about: () => dialog('about'),
        keys: () => dialog('keys'),
        close,
        link: () => {
          close()
          // The bare address says nothing of what was on the canvas.
          if (address.read().hash === '' && !here().front) return
          const link = jsonLink({ ...workedExample, title: `Link ${++n}` })
          address.follow(link)
          opens(`Link ${n}`, workedExample.workers)
        },
      }
      const dialog = (name: string) => {
        close()
        openDialog(session, name)
        go({ ...here(), dialog: name })
      }
      for (const each of walk) {
        acts[each]()
        await later()
        expect(view(), `${walk} at ${each}`).toEqual(here())
        expect(address.read().search).toBe('')
      }
    }),
    { numRuns: Number(process.env.N ?? 60) },
  )
})

test('the address is bare on the front page, and has the scenario as soon as the page below it is shown', async () => {
  const { session, address } = openVisit(true)
  await later()
  expect(address.read().hash).toBe('')
  closeFront(session)
  await later()
  expect(readFragment(address.read().hash)).toMatchObject({ found: 'scenario', scenario: { title: titleOf(session) } })
  address.go(-1)
  await later()
  expect(address.read().hash).toBe('')
})
