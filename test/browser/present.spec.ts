import { expect, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { choose, playhead, run, visit, WELL } from './driver/visit.ts'

test('a run is presented by keys alone: large, without controls, and closed by Escape', async ({ page }) => {
  await visit(page, jsonLink(workedExample))
  await page.getByRole('button', { name: 'Share' }).focus()
  await page.keyboard.press('p')
  const title = page.locator('.presenter').getByRole('heading', { name: 'Worked example' })
  await expect(title).toBeVisible()
  // A presentation cannot be edited, so its parts are not buttons.
  await expect(page.locator('button:visible:not([inert] *)')).toHaveText(['? keys · Escape leaves'])
  await page.keyboard.press('r')
  await expect(page.getByRole('status')).toHaveText(WELL)
  const time = page.locator('.time')
  await page.keyboard.press('5')
  await expect(time).toContainText('1.500 s')
  await page.keyboard.press('ArrowRight')
  await expect(time).toContainText('2.000 s')
  await page.keyboard.press('PageUp')
  await expect(time).toContainText('1.000 s')
  await page.keyboard.press('e')
  await expect(page.getByRole('heading', { name: /^Decision 2/ })).toBeVisible()
  await page.keyboard.press('e')
  // Keys that edit do nothing here.
  await page.keyboard.press('k')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText(/^Speed: /)).toBeVisible()
  await page.mouse.move(200, 200)
  await page.mouse.move(210, 200)
  await expect(page.locator('.presenter-spot')).toHaveAttribute('data-lit', 'true')
  await page.keyboard.press('?')
  await expect(page.getByRole('region', { name: 'Keys' })).toContainText('to that tenth of the run')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Keys' })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(title).toBeHidden()
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
  await expect(playhead(page)).toHaveValue('1000000')
  await expect(page.getByRole('radio', { name: /Original/ })).toHaveCount(0)

  await page.goto('about:blank')
  await page.goto(`/?present${jsonLink(workedExample)}`)
  await expect(title).toBeVisible()
  await page.keyboard.press('Space')
  await expect(page.getByRole('status')).toHaveText(WELL)
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })
  test('a presentation has large buttons: play, previous and next decision, leave', async ({ page }) => {
    await visit(page, jsonLink(workedExample))
    await choose(page, 'Present')
    const bar = page.locator('.presenter').getByRole('toolbar', { name: 'Playback' })
    const button = (name: string) => bar.getByRole('button', { name, exact: true })
    const sides = await bar
      .getByRole('button')
      .evaluateAll((all) => all.flatMap((each) => [each.clientWidth, each.clientHeight]))
    expect(Math.min(...sides)).toBeGreaterThanOrEqual(44)
    await button('Play').tap()
    await expect(page.getByRole('status')).toHaveText(WELL)
    await button('Next decision').tap()
    const time = page.locator('.scrub')
    await expect(time).not.toHaveValue('0')
    await button('Previous decision').tap()
    await button('Previous decision').tap()
    await expect(time).toHaveValue('0')
    await button('Leave').tap()
    await expect(page.locator('.presenter')).toHaveCount(0)
  })
})

test('names are large in a presentation, on a projector of 1280x720 too', async ({ page }) => {
  const stages = ['Parse', 'Enrich', 'Check stock', 'Save'].map((name, s) => ({ id: 'ABCD'[s], name }))
  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
  ]) {
    await page.setViewportSize({ width, height })
    await page.goto('about:blank')
    await page.goto(`/?present${jsonLink({ ...workedExample, stages })}`)
    const size = () =>
      page
        .locator('.stage-card-name')
        .first()
        .evaluate(
          (name: HTMLElement) =>
            (Number.parseFloat(getComputedStyle(name).fontSize) * name.getBoundingClientRect().height) /
            name.offsetHeight,
        )
    await expect.poll(size).toBeGreaterThanOrEqual(18)
    // Names on the timeline are painted at 12 px.
    const enlarged = await page.evaluate(() => document.documentElement.style.getPropertyValue('--enlarged'))
    expect(12 * Number(enlarged)).toBeGreaterThanOrEqual(18)
  }
})

test('a handout has the pipeline, the picture, the figures and the link on one sheet of A4, dark on light in any theme', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.addInitScript(() => {
    window.print = () => {
      document.title = 'printed'
    }
  })
  await visit(page, jsonLink(workedExample))
  await run(page)
  await choose(page, 'Print handout')
  await expect(page).toHaveTitle('printed')
  await page.emulateMedia({ media: 'print' })
  const sheet = page.getByRole('article', { name: 'Handout' })
  await expect(sheet.getByRole('heading', { name: 'Worked example' })).toBeVisible()
  await expect(sheet.getByText('Least total time, 2 workers, in the simulation, seed 1, 3 decisions')).toBeVisible()
  await expect(sheet.getByRole('row', { name: 'Makespan 3 s' })).toBeVisible()
  await expect(sheet.getByRole('img', { name: 'Pipeline' }).locator('text')).toHaveText([
    /A/,
    '1 s',
    /B/,
    '1 s',
    '3 at once',
  ])
  // The pipeline, the run and the link.
  await expect(sheet.getByRole('img', { name: /./ })).toHaveCount(3)
  await expect(sheet.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  // Above the pipeline, so that no second sheet holds the link alone.
  const [link, pipeline] = await Promise.all(
    [sheet.getByText(/^http:.*#s=/), sheet.getByRole('img', { name: 'Pipeline' })].map((part) => part.boundingBox()),
  )
  expect(link?.y).toBeLessThan(pipeline?.y ?? 0)
  await expect(page.getByRole('button', { name: 'Share' })).toBeHidden()
  expect(
    await sheet.evaluate((element) => [
      getComputedStyle(element).color,
      getComputedStyle(document.documentElement).backgroundColor,
    ]),
  ).toEqual(['rgb(28, 27, 25)', 'rgb(255, 255, 255)'])
  const pdf = await page.pdf({ preferCSSPageSize: true })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1)
  expect(pdf.toString('latin1')).toMatch(/\/URI \(http:[^)]*#s=/)
  await page.emulateMedia({ media: 'screen' })
  await expect(sheet).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Share' })).toBeVisible()
})
