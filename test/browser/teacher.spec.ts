import { expect, test } from '@playwright/test'
import { stage } from './driver/drawing.ts'
import { chooseScenario, downloadTrace, LONG, playhead, run, stageNames, statusOf, visit } from './driver/visit.ts'

for (const [name, viewport] of [
  ['at a desk', { width: 1440, height: 900 }],
  ['on a telephone', { width: 390, height: 844 }],
] as const) {
  test.describe(name, () => {
    test.use({ viewport })

    test('a teacher goes from an empty page to three stages with a bottleneck, a run, and a link that opens in a fresh browser', async ({ page, browser }) => {
      await visit(page)
      await chooseScenario(page, 'New pipeline')
      await page.getByRole('button', { name: 'Add a stage between Stage A and the sink' }).click()
      await expect.poll(() => stageNames(page)).toEqual(['Stage A', 'Stage B'])
      await stage(page, 'Stage B').focus()
      await page.keyboard.press('a')
      await expect.poll(() => stageNames(page)).toEqual(['Stage A', 'Stage B', 'Stage C'])
      await page.getByRole('spinbutton', { name: 'Workers' }).fill('3')
      await page.getByRole('combobox', { name: 'Policy' }).selectOption('onePerStage')
      await stage(page, 'Stage B').focus()
      await page.keyboard.press('Enter')
      const mean = page.getByRole('region', { name: 'Stage Stage B' }).getByRole('textbox', { name: 'Mean', exact: true })
      await mean.fill('120 ms')
      await mean.press('Enter')
      await expect(stage(page, 'Stage B')).toHaveAccessibleName(/120 ms on average, 2 of 3/)

      await run(page, /^Finished/)
      const here = await statusOf(page).innerText()
      const trace = await downloadTrace(page)
      await page.getByRole('tab', { name: 'Results' }).click()
      // Jobs pile up before the slow stage, and nowhere else.
      const queue = (name: string) =>
        page
          .getByRole('row', { name: new RegExp(`^${name}`) })
          .first()
          .getByRole('cell')
          .nth(1)
          .innerText()
      const [before, slow, after] = await Promise.all(['Stage A', 'Stage B', 'Stage C'].map(async (each) => Number(await queue(each))))
      expect(slow).toBeGreaterThan(2 * (before + after))

      await playhead(page).focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      const time = await playhead(page).inputValue()
      await page.getByRole('button', { name: 'Share' }).click()
      const dialog = page.getByRole('dialog', { name: 'Share this scenario' })
      await dialog.getByRole('checkbox', { name: /where the playhead stands/ }).check()
      await dialog.getByRole('checkbox', { name: /digest/ }).check()
      await expect(dialog.getByRole('textbox', { name: /^Link / })).toHaveValue(/&digest=/)
      const link = await dialog.getByRole('textbox', { name: /^Link / }).inputValue()
      expect(link.length).toBeLessThanOrEqual(250)

      const context = await browser.newContext({ viewport })
      const fresh = await context.newPage()
      await fresh.goto(link)
      await expect(statusOf(fresh)).toHaveText(here, LONG)
      await expect(playhead(fresh)).toHaveValue(time)
      await expect(fresh.getByText('Reproduced:')).toBeVisible(LONG)
      // The same simulation, digit for digit.
      const { scenario, events, decisions } = await downloadTrace(fresh)
      expect({ scenario, events, decisions }).toEqual({ scenario: trace.scenario, events: trace.events, decisions: trace.decisions })
      await context.close()
    })
  })
}
