import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { PipelineCanvas } from '../../../../src/app/draw/canvas/PipelineCanvas.tsx'
import { Inspector } from '../../../../src/app/draw/inspector/Inspector.tsx'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { open, scenarioStore, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { linearOrder } from '../../../../src/scenario/model/linearStages.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'

const session = createSession()
const rushHour = presetOf('rush-hour')?.scenario ?? expect.fail('no preset')

let root: Root
let host: HTMLElement

beforeEach(async () => {
  await page.viewport(1400, 700)
  open(session, rushHour)
  host = document.createElement('div')
  host.style.cssText = 'position:fixed;inset:0;display:grid;grid-template-columns:1fr 330px'
  document.body.append(host)
  root = createRoot(host)
  root.render(
    <SessionProvider session={session}>
      <div style={{ height: 400 }}>
        <PipelineCanvas />
      </div>
      <div>
        <Inspector />
      </div>
    </SessionProvider>,
  )
  await expect.element(card('Parse')).toBeVisible()
})

afterEach(() => {
  root.unmount()
  host.remove()
})

const card = (name: string) => page.getByRole('group', { name: `Stage ${name},` })
const names = () => {
  const { scenario } = scenarioStore(session).getState()
  return linearOrder(scenario).map((id) => scenario.stages.find((stage) => stage.id === id)?.name)
}
const draft = () => scenarioStore(session).getState().draft
/** The stages with places of their own. */
const placed = () => draft().stages.flatMap(({ id, position }) => (position === null ? [] : [id]))
const LINE = ['Parse', 'Validate', 'Enrich', 'Write']
const focused = () => document.activeElement?.getAttribute('aria-label') ?? ''
async function focus(name: string) {
  ;(card(name).element() as HTMLElement).focus()
  await expect.poll(focused).toContain(name)
}

async function drag(from: Element, to: { readonly x: number; readonly y: number }) {
  const box = from.getBoundingClientRect()
  const begin = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const event = (type: string, x: number, y: number, target: EventTarget) =>
    target.dispatchEvent(
      new MouseEvent(type, {
        bubbles: true,
        cancelable: true,
        view: window,
        clientX: x,
        clientY: y,
        button: 0,
        buttons: 1,
      }),
    )
  event('mousedown', begin.x, begin.y, from)
  for (let i = 1; i <= 8; i++) {
    event(
      'mousemove',
      begin.x + ((to.x - begin.x) * i) / 8,
      begin.y + ((to.y - begin.y) * i) / 8,
      document.elementFromPoint(to.x, to.y) ?? window,
    )
    await new Promise(requestAnimationFrame)
  }
  event('mouseup', to.x, to.y, document.elementFromPoint(to.x, to.y) ?? window)
  await new Promise(requestAnimationFrame)
}

describe('by keyboard alone', () => {
  test('a stage is added, renamed, moved and removed, and every step is undone', async () => {
    await focus('Validate')
    await userEvent.keyboard('a')
    await expect.poll(focused).toContain('Stage Stage E')
    expect(names()).toEqual(['Parse', 'Validate', 'Stage E', 'Enrich', 'Write'])

    await userEvent.keyboard('{F2}')
    await expect.element(page.getByRole('textbox', { name: 'Name of the stage' })).toHaveFocus()
    await userEvent.keyboard('Check twice{Enter}')
    await expect.poll(focused).toContain('Check twice')

    await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}')
    expect(names()).toEqual(['Parse', 'Validate', 'Enrich', 'Check twice', 'Write'])
    await expect.poll(focused).toContain('Check twice')

    await userEvent.keyboard('{Delete}')
    expect(names()).toEqual(LINE)
    await expect.poll(focused).toContain('Write')

    undo(session)
    expect(names()).toEqual(['Parse', 'Validate', 'Enrich', 'Check twice', 'Write'])
    for (let step = 0; step < 3; step++) undo(session)
    expect(names()).toEqual(LINE)
  })

  test('Tab reaches each of very many stages, although only visible ones are rendered, and Shift Tab leads back', async () => {
    open(session, scenarioWith({ workers: 2, stages: Array.from({ length: 70 }, (_, i) => ({ id: `s${i}` })) }))
    await expect.element(page.getByRole('group', { name: 'Stage s0,' })).toBeInTheDocument()
    expect(document.querySelectorAll('.react-flow__node').length).toBeLessThan(50)
    const stageNow = () => document.activeElement?.closest<HTMLElement>('.react-flow__node')?.dataset.id ?? null
    const node = (id: string) => document.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)
    const walked = async (key: string, from: string, to: string) => {
      node(from)?.focus()
      const passed: (string | null)[] = []
      for (let step = 0; step < 600; step++) {
        const at = stageNow()
        if (passed.at(-1) !== at) passed.push(at)
        if (at === to || at === null) break
        const before = document.activeElement
        await userEvent.keyboard(key)
        // A card outside the view is rendered after a frame or two.
        await expect
          .poll(() => document.activeElement !== before && document.activeElement !== document.body)
          .toBe(true)
      }
      return passed
    }
    const line = ['source', ...Array.from({ length: 70 }, (_, i) => `s${i}`), 'sink']
    expect(await walked('{Tab}', 'source', 'sink')).toEqual(line)
    expect(await walked('{Shift>}{Tab}{/Shift}', 'sink', 's50')).toEqual(line.slice(line.indexOf('s50')).reverse())
  })

  test('arrow keys go along the line from source to sink, and Escape clears the selection', async () => {
    await focus('Parse')
    await userEvent.keyboard('{ArrowLeft}')
    await expect.poll(focused).toContain('Source')
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    await expect.poll(() => scenarioStore(session).getState().selected).toBe('B')
    await userEvent.keyboard('{End}')
    await expect.poll(focused).toContain('Sink')
    await userEvent.keyboard('{Escape}')
    expect(scenarioStore(session).getState().selected).toBeNull()
  })
})

describe('by pointer', () => {
  test('a card dropped on the line takes its place there, in one step of undo', async () => {
    const target = card('Enrich').element().getBoundingClientRect()
    await drag(card('Parse').element(), { x: target.x + target.width / 2, y: target.y + target.height / 2 })
    expect(names()).toEqual(['Validate', 'Enrich', 'Parse', 'Write'])
    expect(placed()).toEqual([])
    undo(session)
    expect(names()).toEqual(LINE)
  })

  test('a card dropped beside the line stays there, and the line can be tidied again', async () => {
    const box = card('Enrich').element().getBoundingClientRect()
    await drag(card('Enrich').element(), { x: box.x + 90, y: box.y - 100 })
    expect(placed()).toEqual(['A', 'B', 'C', 'D'])
    await page.getByRole('button', { name: 'Lay out' }).click()
    expect(placed()).toEqual([])
    undo(session)
    undo(session)
    expect(scenarioStore(session).getState().scenario).toEqual(rushHour)
  })
})
