import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useStore } from 'zustand'
import { Inspector } from '../../src/app/inspector/Inspector.tsx'
import { ScenarioSettings } from '../../src/app/inspector/ScenarioSettings.tsx'
import { open, scenarioStore, select, undo } from '../../src/app/scenarioStore.ts'
import { presetOf } from '../../src/scenario/presets.ts'

let root: Root
let host: HTMLElement

function Panel() {
  const selected = useStore(scenarioStore, (state) => state.selected)
  return selected === null ? <ScenarioSettings /> : <Inspector />
}

beforeEach(() => {
  const preset = presetOf('rush-hour')
  if (preset === undefined) throw new Error('no such preset')
  open(preset.scenario)
  host = document.createElement('div')
  host.style.width = '330px'
  document.body.append(host)
  root = createRoot(host)
  root.render(<Panel />)
})

afterEach(() => {
  root.unmount()
  host.remove()
})

const scenario = () => scenarioStore.getState().scenario
const stage = () => scenario().stages[2]
const box = (name: string) => page.getByRole('textbox', { name, exact: true })

describe('the form of a stage', () => {
  beforeEach(() => select('C'))

  test('takes a time in any unit, and shows it in the card’s words again', async () => {
    await box('Mean').fill('0.25 s')
    expect(stage().service).toMatchObject({ kind: 'lognormal', mean: 250_000 })
    await userEvent.tab()
    await expect.element(box('Mean')).toHaveValue('250 ms')
  })

  test('keeps what is typed wrong in the field with what is allowed, and the last good value in force', async () => {
    await box('Mean').fill('0')
    await expect.element(box('Mean')).toHaveAttribute('aria-invalid', 'true')
    await expect.element(box('Mean')).toHaveAccessibleDescription(/allowed: a time from 1 µs/)
    expect(stage().service).toMatchObject({ mean: 12_000 })
    expect(scenarioStore.getState().problems).toEqual([])
    await userEvent.tab()
    expect(scenarioStore.getState().problems[0]).toMatchObject({ path: 'stages[2].service.mean' })
    await expect.element(box('Mean')).toHaveValue('0')
    await box('Mean').fill('9 ms')
    await expect.element(box('Mean')).toHaveAttribute('aria-invalid', 'false')
    expect(stage().service).toMatchObject({ mean: 9000 })
    expect(scenarioStore.getState().problems).toEqual([])
  })

  test('follows undo, also while its field has the focus, and a word typed is one step', async () => {
    await userEvent.click(box('Name'))
    await userEvent.keyboard('{Control>}a{/Control}Look up the user')
    expect(stage().name).toBe('Look up the user')
    undo()
    await expect.element(box('Name')).toHaveValue('Enrich')
  })

  test('changes the distribution and keeps its mean', async () => {
    await page.getByRole('combobox', { name: 'Distribution' }).selectOptions('Uniform')
    expect(stage().service).toEqual({ kind: 'uniform', min: 6000, max: 18_000 })
    await box('Least').fill('20 ms')
    await expect.element(box('Least')).toHaveAccessibleDescription(/at least min/)
    expect(stage().service).toMatchObject({ min: 6000 })
  })

  test('sets a time by slider and by arrow keys', async () => {
    const slider = page.getByRole('slider', { name: 'Mean, slider' })
    await expect.element(slider).toHaveAttribute('aria-valuetext', '12 ms')
    ;(slider.element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    const { mean } = stage().service as { mean: number }
    expect(mean).toBeGreaterThan(12_000)
    expect(Number(mean.toPrecision(2))).toBe(mean)
    await box('Mean').fill('10 ms')
    await userEvent.keyboard('{ArrowUp}')
    expect(stage().service).toMatchObject({ mean: 11_000 })
  })

  test('bounds the queue and names the jobs that fail', async () => {
    await page.getByRole('checkbox', { name: /Bounded/ }).click()
    expect(stage().capacity).toBe(20)
    await page.getByRole('checkbox', { name: 'Some jobs fail here' }).click()
    await box('Job numbers').fill('7, 42-44')
    expect(stage().fails).toEqual({ jobs: [7, 42, 43, 44], tries: 3 })
    await box('Job numbers').fill('7, 42-44, x')
    await expect.element(box('Job numbers')).toHaveAccessibleDescription(/"x" is no whole number/)
    expect(stage().fails?.jobs).toHaveLength(4)
  })
})

describe('the form of source and sink', () => {
  test('changes how jobs arrive, as many as before', async () => {
    select('source')
    await page.getByRole('combobox', { name: 'Arrivals' }).selectOptions('Steps')
    expect(scenario().source).toMatchObject({ kind: 'steps', jobs: 600 })
    await box('Time and rate').fill('0 100\n1.5 s 400')
    expect(scenario().source).toMatchObject({
      at: [
        [0, 100],
        [1_500_000, 400],
      ],
    })
    await box('Time and rate').fill('2 s 100\n1.5 s 400')
    await expect.element(box('Time and rate')).toHaveAccessibleDescription(/times stand in order/)
  })

  test('changes how jobs leave', async () => {
    select('sink')
    await page.getByRole('combobox', { name: 'Jobs leave' }).selectOptions('As they are done')
    expect(scenario().order).toEqual({ kind: 'none' })
  })
})

describe('the form of the scenario', () => {
  test('throws the dice for another seed', async () => {
    await page.getByRole('button', { name: 'Another seed' }).click()
    expect(scenario().seed).not.toBe(7)
  })

  test('says why a rule does not suit, and leaves the one before', async () => {
    await box('At the start').fill('2')
    const rule = page.getByRole('combobox', { name: 'Rule' })
    await rule.selectOptions('One per stage')
    await expect.element(rule).toHaveAccessibleDescription(/at least 4/)
    expect(scenario().policy.kind).toBe('leastScore')
  })

  test('sets the power of the power family, from 1 to 64', async () => {
    await page.getByRole('combobox', { name: 'Rule' }).selectOptions('Power')
    expect(scenario().policy).toEqual({ kind: 'power', p: 2, lend: true })
    await box('Power').fill('9')
    expect(scenario().policy).toMatchObject({ p: 9 })
    await box('Power').fill('65')
    await expect.element(box('Power')).toHaveAccessibleDescription(/found 65; allowed: a whole number from 1 to 64/)
    await page.getByRole('combobox', { name: 'Rule' }).selectOptions('Hamilton')
    expect(scenario().policy).toEqual({ kind: 'hamilton', lend: true })
  })

  test('gives out workers by hand, never more than there are', async () => {
    await page.getByRole('combobox', { name: 'Rule' }).selectOptions('Fixed')
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
    await second.getByRole('combobox', { name: 'What' }).selectOptions('crashes')
    await second.getByRole('textbox', { name: 'Worker' }).fill('9')
    expect(scenario().workerEvents[1]).toMatchObject({ kind: 'crash', worker: 8 })
    await second.getByRole('textbox', { name: 'Worker' }).fill('30')
    await expect
      .element(second.getByRole('textbox', { name: 'Worker' }))
      .toHaveAccessibleDescription('found 30; allowed: 1 to 9, the workers there are by then')
    await page.getByRole('button', { name: 'Remove event 2' }).click()
    expect(scenario().workerEvents).toHaveLength(1)
  })
})

describe('the form of the scenario', () => {
  test('lets the queue decide the batches, keeps a second one in hand, and begins again with one job', async () => {
    await box('Batch').fill('7')
    expect(scenario().batch).toEqual({ size: 7, inHand: 1 })
    await page.getByRole('checkbox', { name: 'Keep a second batch in hand' }).click()
    expect(scenario().batch).toEqual({ size: 7, inHand: 2 })
    await page.getByRole('combobox', { name: 'Batches' }).selectOptions('adaptive')
    expect(scenario().batch).toEqual({ adaptive: true, inHand: 2 })
    await expect.element(box('Batch')).not.toBeInTheDocument()
    await page.getByRole('combobox', { name: 'Batches' }).selectOptions('fixed')
    expect(scenario().batch).toEqual({ size: 1, inHand: 2 })
  })

  test('asks green threads how many there are on every stage', async () => {
    await page.getByRole('combobox', { name: 'Rule' }).selectOptions('greenThreads')
    expect(scenario().policy).toEqual({ kind: 'greenThreads', perStage: 8, lend: false })
    await box('Threads').fill('3')
    expect(scenario().policy).toMatchObject({ perStage: 3 })
    await box('Threads').fill('100')
    await expect.element(box('Threads')).toHaveAccessibleDescription(/allowed: 1 to 64/)
  })
})
