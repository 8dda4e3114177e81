import { readFile } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { playhead, run, visit } from './driver/visit.ts'

test('an essay pins moments beside the pipeline, and its one file shows text and pictures without a network', async ({
  page,
  browser,
}, info) => {
  await visit(page, jsonLink(workedExample))
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: /^As a page/ }).click()
  const essay = page.getByRole('region', { name: 'Essay' })
  await expect(essay.getByRole('button', { name: 'Pin this moment' })).toBeDisabled()
  await run(page)
  const text = essay.getByRole('textbox')
  await text.fill('# How it went\n\nFirst **both** work at A. <script>document.title = "no"</script>')
  await playhead(page).press('End')
  await essay.getByRole('button', { name: 'Pin this moment' }).click()
  await expect(text).toHaveValue(/\n\n@ 3 s$/)
  await text.press('End')
  await page.keyboard.insertText('\n\n@ 1 s\n\nThe [source](https://example.org/).')
  const preview = essay.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('heading', { name: 'How it went' })).toBeVisible()
  await expect(preview.getByRole('img')).toHaveCount(2)
  await expect(preview.getByText('At 1.000 s.')).toBeVisible()
  expect((await new AxeBuilder({ page }).include('.essay').analyze()).violations).toEqual([])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    essay.getByRole('button', { name: 'Save the page' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('worked-example.html')
  const file = info.outputPath('worked-example.html')
  await download.saveAs(file)
  expect(await readFile(file, 'utf8')).not.toContain('<script')
  const context = await browser.newContext({ offline: true })
  const offline = await context.newPage()
  await offline.goto(`file://${file}`)
  await expect(offline).toHaveTitle('Worked example')
  await expect(offline.getByRole('heading', { level: 1 })).toHaveText('Worked example')
  await expect(offline.getByText('First both work at A. <script>document.title = "no"</script>')).toBeVisible()
  const widths = await offline
    .getByRole('img')
    .evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth))
  expect(widths).toEqual([1280, 1280])
  await expect(offline.getByText(/Decision \d+:/).first()).toBeVisible()
  await expect(offline.getByText('Live, when online')).toHaveCount(2)
  await context.close()
  // With a network the frame plays that moment.
  const online = await (await browser.newContext()).newPage()
  await online.goto(`file://${file}`)
  await online.getByText('Live, when online').last().click()
  await expect(online.frameLocator('iframe').last().getByRole('slider', { name: 'Time', exact: true })).toHaveValue(
    '1000000',
  )
  await online.context().close()
  // The text belongs to the scenario: a reload restores it, and undo reverts it.
  await page.reload()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: /^As a page/ }).click()
  await expect(text).toHaveValue(/^# How it went/)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the essay is a sheet that can be closed, and it is accessible', async ({ page }) => {
    await visit(page, jsonLink({ ...workedExample, essay: 'At first\n\n@ 1 s' }))
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: /^As a page/ }).click()
    const essay = page.getByRole('region', { name: 'Essay' })
    await expect(essay.getByText('Its picture appears here when a run has ended.')).toBeVisible()
    expect((await new AxeBuilder({ page }).include('.essay').analyze()).violations).toEqual([])
    await essay.getByRole('button', { name: 'Close the essay' }).click()
    await expect(essay).toBeHidden()
  })
})
