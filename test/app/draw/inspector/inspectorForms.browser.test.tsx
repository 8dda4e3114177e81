import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useStore } from 'zustand'
import { Inspector } from '../../../../src/app/draw/inspector/Inspector.tsx'
import { ScenarioSettings } from '../../../../src/app/draw/inspector/ScenarioSettings.tsx'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { open, scenarioStore, select, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import type { Source } from '../../../../src/scenario/model/scenario.ts'
import { jobsUntilLast } from '../../../../src/scenario/model/sourceFigures.ts'
import { countJobs } from '../../../../src/scenario/model/sources.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'

const session = createSession()

let root: Root
let host: HTMLElement

function Panel() {
  const selected = useStore(scenarioStore(session), (state) => state.selected)
  return selected === null ? <ScenarioSettings /> : <Inspector />
}

beforeEach(() => {
  open(session, preset('rush-hour'))
  host = document.createElement('div')
  host.style.width = '330px'
  document.body.append(host)
  root = createRoot(host)
  root.render(
    <SessionProvider session={session}>
      <Panel />
    </SessionProvider>,
  )
})

afterEach(() => {
  root.unmount()
  host.remove()
})

const preset = (key: string) => presetOf(key)?.scenario ?? expect.fail('no such preset')
const problems = () => scenarioStore(session).getState().problems
const scenario = () => scenarioStore(session).getState().scenario
const stage = () => scenario().stages[2]
const box = (name: string) => page.getByRole('textbox', { name, exact: true })
/** Chooses in a list. */
const choose = (name: string, option: string) => page.getByRole('combobox', { name, exact: true }).selectOptions(option)
const drawn = () => new Promise((resolve) => setTimeout(resolve, 20))

/** After a touch d3 ignores the mouse for half a second, because browsers send mouse events of their own. */
const mouseAgain = () => new Promise((resolve) => setTimeout(resolve, 550))

/** Presses on an element, by mouse or finger, moves over a plot, and lets go. Places are shares of the plot within its border. */
function pointerOver(plot: Element) {
  let on: Element = plot
  let finger = false
  const at = (x: number, y: number) => {
    const { left, top } = plot.getBoundingClientRect()
    return {
      clientX: left + plot.clientLeft + x * plot.clientWidth,
      clientY: top + plot.clientTop + y * plot.clientHeight,
    }
  }
  const tell = async (mouse: string, touch: string, x: number, y: number) => {
    const touches = finger ? [new Touch({ identifier: 1, target: on, ...at(x, y) })] : []
    const event = finger
      ? new TouchEvent(touch, {
          touches: touch === 'touchend' ? [] : touches,
          changedTouches: touches,
          bubbles: true,
          cancelable: true,
        })
      : new MouseEvent(mouse, { view: window, ...at(x, y), bubbles: true, cancelable: true })
    ;(finger || mouse === 'mousedown' ? on : window).dispatchEvent(event)
    await drawn()
  }
  return {
    press: (x: number, y: number, target = plot, byFinger = false) => {
      on = target
      finger = byFinger
      return tell('mousedown', 'touchstart', x, y)
    },
    move: (x: number, y: number) => tell('mousemove', 'touchmove', x, y),
    release: (x: number, y: number) => tell('mouseup', 'touchend', x, y),
  }
}

describe('the form of a stage', () => {
  beforeEach(() => select(session, 'C'))

  test('takes a time in any unit, and shows it in the card’s words again', async () => {
    await box('Mean').fill('0.25 s')
    expect(stage().service).toMatchObject({ kind: 'lognormal', mean: 250_000 })
    await userEvent.tab()
    await expect.element(box('Mean')).toHaveValue('250 ms')
  })

  test('keeps an invalid text in its field with the allowed values, and the last valid value stays in the scenario', async () => {
    await box('Mean').fill('0')
    await expect.element(box('Mean')).toHaveAttribute('aria-invalid', 'true')
    await expect.element(box('Mean')).toHaveAccessibleDescription(/allowed: a time from 1 µs/)
    expect(stage().service).toMatchObject({ mean: 12_000 })
    expect(problems()).toEqual([])
    await userEvent.tab()
    expect(problems()[0]).toMatchObject({ path: 'stages[2].service.mean' })
    await expect.element(box('Mean')).toHaveValue('0')
    await box('Mean').fill('9 ms')
    await expect.element(box('Mean')).toHaveAttribute('aria-invalid', 'false')
    expect(stage().service).toMatchObject({ mean: 9000 })
    expect(problems()).toEqual([])
  })

  test('follows undo, also while its field has the focus, and a typed word is one step', async () => {
    await userEvent.click(box('Name'))
    await userEvent.keyboard('{Control>}a{/Control}Look up the user')
    expect(stage().name).toBe('Look up the user')
    undo(session)
    await expect.element(box('Name')).toHaveValue('Enrich')
  })

  test('changes the distribution and keeps its mean', async () => {
    await choose('Distribution', 'Uniform')
    expect(stage().service).toEqual({ kind: 'uniform', min: 6000, max: 18_000 })
    await box('Least').fill('20 ms')
    await expect.element(box('Least')).toHaveAccessibleDescription(/at least min/)
    expect(stage().service).toMatchObject({ min: 6000 })
  })

  test('changes the service time from a job on, and removes the change', async () => {
    await page.getByRole('button', { name: 'Change it from a job on' }).click()
    // The middle of the 600 jobs, twice as slow.
    expect(stage().changes).toMatchObject([{ from: 300, service: { kind: 'lognormal', mean: 24_000 } }])
    const first = page.getByRole('group', { name: 'Change 1' })
    await first.getByRole('textbox', { name: 'From job' }).fill('100')
    await first.getByRole('combobox', { name: 'Distribution' }).selectOptions('Constant')
    await first.getByRole('textbox', { name: 'Time' }).fill('5 ms')
    expect(stage().changes).toEqual([{ from: 100, service: { kind: 'constant', mean: 5000 } }])
    expect(stage().service).toMatchObject({ kind: 'lognormal', mean: 12_000 })
    await page.getByRole('button', { name: 'Change it from a job on' }).click()
    const second = page.getByRole('group', { name: 'Change 2' })
    await second.getByRole('textbox', { name: 'From job' }).fill('100')
    await expect
      .element(second.getByRole('textbox', { name: 'From job' }))
      .toHaveAccessibleDescription(/more than 100, the one before/)
    expect(stage().changes.map(({ from }) => from)).toEqual([100, 350])
    await page.getByRole('group', { name: 'Change 1' }).getByRole('button', { name: 'Remove' }).click()
    expect(stage().changes).toEqual([{ from: 350, service: { kind: 'constant', mean: 10_000 } }])
  })

  test('is pulled into shape: a drag is one step of undo, the fields follow, and Escape cancels it', async () => {
    const plot = page.getByTestId('service-drawing')
    await expect.element(plot).toBeVisible()
    const mean = page.getByRole('slider', { name: 'Shape: Mean' })
    await expect.element(mean).toHaveAttribute('aria-valuetext', '12 ms')
    const { press, move, release } = pointerOver(plot.element())
    const low = 0.9
    // The axis ends at 50 ms: the 99th percentile is 36.
    await press(0.24, low, mean.element())
    await move(0.3, low)
    await move(0.4, low)
    await expect.element(box('Mean')).toHaveValue('20 ms')
    expect(stage().service).toMatchObject({ mean: 12_000 })
    await release(0.4, low)
    expect(stage().service).toMatchObject({ kind: 'lognormal', mean: 20_000, cv: 0.6 })
    undo(session)
    expect(stage().service).toMatchObject({ mean: 12_000 })
    await drawn()
    // By touch, away from all grips: the nearest grip moves.
    await press(0.46, low, plot.element(), true)
    await move(0.48, low)
    await release(0.48, low)
    expect(stage().service).toMatchObject({ kind: 'lognormal', mean: 12_000, cv: 1 })
    undo(session)
    await mouseAgain()
    await press(0.24, low, mean.element())
    await move(0.5, low)
    await expect.element(box('Mean')).toHaveValue('25 ms')
    ;(mean.element() as HTMLElement).focus()
    await userEvent.keyboard('{Escape}')
    await move(0.6, low)
    await release(0.5, low)
    expect(stage().service).toMatchObject({ mean: 12_000 })
    await expect.element(box('Mean')).toHaveValue('12 ms')
    // A touch that scrolls the page does not pull.
    await press(0.3, low, plot.element(), true)
    await move(0.5, low)
    plot.element().dispatchEvent(new PointerEvent('pointercancel'))
    await release(0.5, low)
    expect(stage().service).toMatchObject({ mean: 12_000 })
  })

  test('takes pasted times, and reports unreadable ones by line', async () => {
    await choose('Distribution', 'Measured times')
    await box('Times').fill('1.5\n2 ms\n300us, 4')
    expect(stage().service).toEqual({ kind: 'empirical', values: [1500, 2000, 300, 4000] })
    // Another unit reads the pasted text again.
    await choose('Without unit', 'seconds')
    await expect.poll(() => stage().service).toEqual({ kind: 'empirical', values: [1_500_000, 2000, 300, 4_000_000] })
    await box('Times').fill('1\nfast\n0')
    await expect
      .element(box('Times'))
      .toHaveAccessibleDescription(/^line 2: found "fast"; allowed: .*; line 3: found "0"; allowed: /)
    expect(stage().service).toMatchObject({ values: { length: 4 } })
    await choose('Without unit', 'microseconds')
    const many = Array.from({ length: 1000 }, (_, i) => 1000 + ((i * 7919) % 4000))
    await box('Times').fill(many.join('\n'))
    expect(stage().service).toEqual({ kind: 'empirical', values: many })
    await userEvent.tab()
    // A thousand times are shown as a summary.
    await expect.element(box('Times')).toHaveValue('')
    await expect.element(box('Times')).toHaveAttribute('placeholder', '1 ms to 5 ms')
    undo(session)
    await expect.element(box('Times')).toHaveValue('1.5 s, 2 ms, 300 µs, 4 s')
  })

  test('bounds the queue and names the jobs that fail', async () => {
    await page.getByRole('checkbox', { name: /Bounded/ }).click()
    expect(stage().capacity).toBe(20)
    await page.getByRole('checkbox', { name: 'Failures' }).click()
    await box('Job numbers').fill('7, 42-44')
    expect(stage().fails).toEqual({ jobs: [7, 42, 43, 44], tries: 3 })
    await box('Job numbers').fill('7, 42-44, x')
    await expect.element(box('Job numbers')).toHaveAccessibleDescription(/found "x"; allowed: whole numbers/)
    expect(stage().fails?.jobs).toHaveLength(4)
  })
})

describe('the form of source and sink', () => {
  /** A level load of 400 jobs with two corners. */
  const openCurve = () => {
    const points = [0, 4_000_000].map((time) => [time, 100] as const)
    open(session, { ...scenario(), source: { kind: 'curve', points: [points[0], points[1]], jobs: 400 } })
    select(session, 'source')
  }

  test('changes how jobs arrive, as many as before, and how they leave', async () => {
    select(session, 'source')
    await choose('Arrivals', 'Steps or square')
    expect(scenario().source).toMatchObject({ kind: 'steps', jobs: 600 })
    await box('Time and rate').fill('0 100\n1.5 s 400')
    expect(JSON.stringify(scenario().source)).toContain('"at":[[0,100],[1500000,400]]')
    await box('Time and rate').fill('2 s 100\n1.5 s 400')
    await expect.element(box('Time and rate')).toHaveAccessibleDescription(/the one before/)
    select(session, 'sink')
    await choose('Jobs leave', 'As they are done')
    expect(scenario().order).toEqual({ kind: 'none' })
  })

  test('draws a rate: a stroke, a click and a drag are one step of undo each, and the number of jobs follows', async () => {
    openCurve()
    await expect.element(page.getByTestId('rate-drawing')).toBeVisible()
    const { press, move, release } = pointerOver(page.getByTestId('rate-drawing').element())
    const points = () => (scenario().source as Extract<Source, { kind: 'curve' }>).points
    const settled = (count: number) =>
      expect.element(page.getByRole('button', { name: new RegExp(`^Corner .* of ${count}:`) }).first()).toBeVisible()
    await settled(2)

    // The plane is 5 s by 150 a second. A stroke by touch.
    await press(0.2, 1 / 3, undefined, true)
    await move(0.3, 0.1)
    await move(0.4, 0.9)
    await release(0.4, 0.9)
    await settled(5)
    expect(points().map(([time]) => time)).toEqual([0, 1_000_000, 1_500_000, 2_000_000, 4_000_000])
    expect(points()[2][1]).toBeCloseTo(135, -1)
    expect(countJobs(scenario().source)).toBe(Math.floor(jobsUntilLast('curve', points())))

    // A click adds a corner, which is then dragged.
    await mouseAgain()
    await press(0.6, 0.5)
    await release(0.6, 0.5)
    await settled(6)
    await press(0.6, 0.2, page.getByRole('button', { name: /^Corner 5 of 6: 3 s/ }).element())
    await move(0.65, 0.2)
    await move(0.7, 0.2)
    await release(0.7, 0.2)
    await expect.element(page.getByRole('button', { name: /^Corner 5 of 6: 3.5 s, 120/ })).toBeVisible()

    undo(session)
    await expect.element(page.getByRole('button', { name: /^Corner 5 of 6: 3 s/ })).toBeVisible()
    undo(session)
    undo(session)
    await settled(2)
    expect(countJobs(scenario().source)).toBe(400)
  })
})

describe('the form of the scenario', () => {
  test('draws another seed, explains why a policy is refused, and keeps the policy before', async () => {
    await page.getByRole('button', { name: 'Another seed' }).click()
    expect(scenario().seed).not.toBe(7)
    await box('At the start').fill('2')
    const rule = page.getByRole('combobox', { name: 'Policy' })
    await rule.selectOptions('One per stage')
    await expect.element(rule).toHaveAccessibleDescription(/at least 4/)
    expect(scenario().policy.kind).toBe('leastScore')
  })

  test('gives out workers by hand, never more than there are', async () => {
    await choose('Policy', 'Apportionment')
    expect(scenario().policy.kind).toBe('jefferson')
    await choose('Method', 'Dean')
    expect(scenario().policy.kind).toBe('dean')
    await choose('Policy', 'Fixed')
    await box('Enrich').fill('5')
    await expect.element(box('Enrich')).toHaveAccessibleDescription(/11 workers are given out/)
    await box('Parse').fill('1')
    expect(scenario().policy).toMatchObject({ allocation: { A: 1, B: 2, C: 2, D: 2 } })
  })

  test('lets workers come and go, numbered as on the screen', async () => {
    await page.getByRole('button', { name: 'Add an event' }).click()
    await page.getByRole('button', { name: 'Add an event' }).click()
    expect(scenario().workerEvents.map(({ worker }) => worker)).toEqual([8, 9])
    const second = page.getByRole('group', { name: 'Event 2' })
    await second.getByRole('combobox', { name: 'What' }).selectOptions('A worker crashes')
    await second.getByRole('textbox', { name: 'Worker' }).fill('9')
    expect(scenario().workerEvents[1]).toMatchObject({ kind: 'crash', worker: 8 })
    await second.getByRole('textbox', { name: 'Worker' }).fill('30')
    await expect
      .element(second.getByRole('textbox', { name: 'Worker' }))
      .toHaveAccessibleDescription(/^found 30; allowed: a whole number from 1 to 9/)
    await second.getByRole('button', { name: 'Remove' }).click()
    expect(scenario().workerEvents).toHaveLength(1)
  })
})

describe('groups that exclude each other', () => {
  const choice = page.getByRole('combobox', { name: 'Same group', exact: true })

  test('are chosen at a stage, and are removed with the groups in one step of undo', async () => {
    open(session, preset('jobs-contend'))
    select(session, 'B')
    await expect.element(choice).toHaveValue('wait')
    await choice.selectOptions('skip')
    expect(scenario().stages[1]).toMatchObject({ resource: 'group', whenTaken: 'skip' })
    select(session, 'source')
    await choose('Arrivals', 'poisson')
    expect(problems()).toEqual([])
    expect(scenario().source.kind).toBe('poisson')
    expect(scenario().stages[1].resource).toBe(null)
    undo(session)
    expect(scenario().stages[1]).toMatchObject({ resource: 'group', whenTaken: 'skip' })
    select(session, 'B')
    await choice.selectOptions('none')
    expect(scenario().stages[1].resource).toBe(null)
  })
})

describe('batches and threads', () => {
  test('sets adaptive batches, prefetches a second one, and goes back to batches of one job', async () => {
    await box('Batch').fill('7')
    expect(scenario().batch).toEqual({ size: 7, inHand: 1 })
    await page.getByRole('checkbox', { name: 'Keep a second batch in hand' }).click()
    expect(scenario().batch).toEqual({ size: 7, inHand: 2 })
    await choose('Batches', 'adaptive')
    expect(scenario().batch).toEqual({ adaptive: true, inHand: 2 })
    await expect.element(box('Batch')).not.toBeInTheDocument()
    await choose('Batches', 'fixed')
    expect(scenario().batch).toEqual({ size: 1, inHand: 2 })
  })
})
