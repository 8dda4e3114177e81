import { expect, type Page, test } from '@playwright/test'
import { playMetrics } from '../../src/runs/play/play.ts'
import { setPolicy, setWorkers } from '../../src/scenario/edit/edits.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { lastArrival } from '../../src/scenario/model/sources.ts'
import { defaultPreset } from '../../src/scenario/presets/preset.ts'
import { presets } from '../../src/scenario/presets/presets.ts'
import { duration } from '../../src/views/drawing/format.ts'
import { jsonLink, scenarioWith, threeStages, workedExample } from '../fixtures/scenarios.ts'
import { expectAccessible } from './driver/accessible.ts'
import { chooseScenario, ended, LONG, run, statusOf, visit } from './driver/visit.ts'

const bar = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })
const figure = (page: Page) => page.locator('.answer-figure strong')
const workers = (page: Page) => page.getByRole('spinbutton', { name: 'Workers' })

/** Returns what the bar says of a scenario, as Node plays it. */
async function figureOf(scenario: Scenario): Promise<string> {
  const { makespan, meanFlowTime } = await playMetrics(scenario)
  return duration(lastArrival(scenario.source) > 0 ? meanFlowTime : makespan)
}

const example = scenarioWith(workedExample)
const gallery = presets.find(({ key }) => key === 'cold-start') ?? defaultPreset

test('a link, a scenario of the menu, a new pipeline and a frame show their result, with nothing pressed', async ({
  page,
}) => {
  await visit(page)
  await expect(figure(page)).toHaveText(await figureOf(defaultPreset.scenario), LONG)
  await expect(statusOf(page)).toHaveText(/^Simulated in [\d.]+ m?s\.$/)
  await expectAccessible(page, 'with an answer', ['.answer-bar'])
  await visit(page, jsonLink(workedExample))
  await expect(figure(page)).toHaveText(await figureOf(example), LONG)
  await chooseScenario(page, gallery.title)
  await expect(figure(page)).toHaveText(await figureOf(gallery.scenario), LONG)
  await chooseScenario(page, 'New pipeline')
  await expect(figure(page)).toHaveText(/^[\d.]+ m?s$/, LONG)
  await expect(figure(page)).not.toHaveText(await figureOf(gallery.scenario))
  await page.goto(`/?embed${jsonLink(workedExample)}`)
  await expect(figure(page)).toHaveText(await figureOf(example), LONG)
})

test('while Workers is dragged the figure follows, and the one of before stays beside it', async ({ page }) => {
  await visit(page, jsonLink(threeStages))
  const scenario = scenarioWith(threeStages)
  const first = await figureOf(scenario)
  await expect(figure(page)).toHaveText(first, LONG)
  const slider = page.getByRole('slider', { name: /^Workers/ })
  const { x, y, width, height } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(x + width * 0.32, y + height / 2)
  await page.mouse.down()
  const seen = new Set<string>()
  for (let share = 0.13; share < 0.52; share += 0.03) {
    await page.mouse.move(x + width * share, y + height / 2)
    const expected = await figureOf(setWorkers(scenario, Number(await workers(page).inputValue())))
    await expect(figure(page)).toHaveText(expected, LONG)
    seen.add(expected)
  }
  await page.mouse.up()
  expect(seen.size).toBeGreaterThanOrEqual(8)
  await workers(page).fill('6')
  await expect(figure(page)).toHaveText(first, LONG)
  await expect(bar(page)).toContainText(/\d+ workers: [\d.]+ (ms|s)/)
})

test('the bar says what holds the pipeline up and leads there, and its knobs change that stage and who decides', async ({
  page,
}) => {
  await visit(page, jsonLink(threeStages))
  await expect(bar(page)).toContainText(/times faster than fixed workers|less time than|As fast as/, LONG)
  await page.getByRole('slider', { name: 'Time' }).fill('0')
  await bar(page).getByRole('button', { name: 'Think holds it up.' }).click()
  await expect(page.getByRole('slider', { name: 'Time' })).not.toHaveValue('0')
  const scenario = scenarioWith(threeStages)
  await page.getByRole('radio', { name: 'Nearest the sink first' }).check()
  await expect(figure(page)).toHaveText(await figureOf(setPolicy(scenario, 'sinkFirst')), LONG)
  await expect(bar(page)).toContainText('Least total time: ')
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('onePerStage')
  await expect(figure(page)).toHaveText(await figureOf(setPolicy(scenario, 'onePerStage')), LONG)
  await page.getByRole('slider', { name: /^Think/ }).press('ArrowUp')
  await expect(figure(page)).not.toHaveText(await figureOf(setPolicy(scenario, 'onePerStage')), LONG)
})

test('a real run is one press, and its figure stands beside the simulated one', async ({ page }) => {
  await visit(page, jsonLink(threeStages))
  await expect(figure(page)).toHaveText(/\d/, LONG)
  const simulated = await figure(page).innerText()
  await bar(page).getByRole('button', { name: 'On 6 Web Workers' }).click()
  await expect(page.getByRole('radio', { name: 'Web Workers' })).toBeChecked()
  await ended(page, /^Finished: 300 of 300 jobs/)
  await expect(bar(page)).toContainText(`Simulation: ${simulated}`)
  await page.getByRole('radio', { name: 'Simulation' }).check()
  await expect(figure(page)).toHaveText(simulated, LONG)
  await expect(bar(page)).toContainText(/Web Workers: [\d.]+ m?s/)
})

test('a long simulation waits for Run at first; after an edit it is simulated again, and can be stopped', async ({
  page,
}) => {
  await visit(page, jsonLink({ ...workedExample, source: { kind: 'batch', jobs: 300_000 } }))
  await expect(bar(page)).toContainText(/takes about .* Press Run\./)
  await expect(figure(page)).toHaveCount(0)
  await run(page)
  await expect(figure(page)).toHaveText(/\d/, LONG)
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('3')
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  await stop.click(LONG)
  await expect(stop).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Run again' })).toBeVisible()
})
