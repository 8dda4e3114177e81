import { expect, type Page, test } from '@playwright/test'
import { ladders } from '../../src/scenario/ladders.ts'
import { expectAccessible } from './accessible.ts'
import { chooseScenario, LONG, playhead, run, statusOf, visit } from './visit.ts'

const title = (page: Page) => page.getByRole('button', { name: /^Scenarios/ })
const lesson = (page: Page) => page.getByRole('region', { name: 'Lesson' })
const task = (page: Page) => lesson(page).locator('.lesson-task')

test('a lesson is done as a learner does it: a guess, a run, a tick, what was to be seen; then one’s own comes back', async ({ page }) => {
  test.slow()
  await visit(page)
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('5')
  await page.getByRole('button', { name: 'The first lesson takes four minutes' }).click()
  await expect(lesson(page).getByRole('heading', { name: 'Why a pipeline at all?' })).toBeFocused()
  await expect(title(page)).toHaveText('Laundry')
  // Nothing is ticked by itself, nor by pressing what leads nowhere.
  await lesson(page).getByRole('button', { name: 'Hint' }).click()
  await expect(task(page)).not.toHaveClass(/done/)
  await run(page)
  await expect(task(page)).toHaveClass(/done/)
  await expect(lesson(page)).toContainText('18 seconds: six loads of three seconds each')
  await lesson(page).getByRole('button', { name: 'Next step' }).click()
  // What is asked comes before what is told.
  await expect(task(page)).toHaveCount(0)
  await lesson(page).getByRole('radio', { name: '6 s' }).check()
  await lesson(page).getByRole('button', { name: 'That is my guess' }).click()
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('3')
  await run(page)
  await expect(task(page)).not.toHaveClass(/done/)
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('One per stage')
  await run(page)
  await expect(lesson(page)).toContainText('You said “6 s”: not so.')
  await expect(lesson(page)).toContainText('8 seconds. The first load needs its three')
  // Left in the middle, it is there again after a reload, and nothing of it is lost.
  await page.waitForTimeout(1200)
  await page.reload()
  await expect(lesson(page)).toContainText('2 of 5 steps done')
  await expect(lesson(page)).toContainText('Three times as fast would have been 6 seconds')
  await run(page)
  await playhead(page).fill('4000000')
  await expect(lesson(page)).toContainText('At 4 s all three work.')
  await lesson(page).getByRole('button', { name: 'Next step' }).click()
  await page.getByRole('group', { name: /^Source/ }).click()
  const jobs = page.getByRole('region', { name: 'Source' }).getByRole('textbox', { name: 'Jobs', exact: true })
  await jobs.fill('60')
  await jobs.press('Enter')
  await run(page)
  await expect(lesson(page)).toContainText('Busy 97% of the time')
  await lesson(page).getByRole('button', { name: 'Next step' }).click()
  await lesson(page).getByRole('radio', { name: 'All of it' }).check()
  await lesson(page).getByRole('button', { name: 'That is my guess' }).click()
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('Least total time')
  await run(page)
  await expect(lesson(page)).toContainText('You said “All of it”: right.')
  await lesson(page).getByRole('button', { name: 'What you have seen' }).click()
  await expect(lesson(page)).toContainText('Adam Smith')
  await lesson(page).getByRole('button', { name: 'Back to what I had' }).click()
  await expect(lesson(page)).toHaveCount(0)
  await expect(title(page)).toHaveText('Rush hour at the API gateway')
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('5')
  await title(page).click()
  await page.getByRole('menuitem', { name: 'Lessons' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: /Why a pipeline/ })).toContainText('Done')
})

test('a lesson is opened by the address and done by keyboard alone', async ({ page }) => {
  await visit(page, '?lesson=one-core')
  await expect(lesson(page).getByRole('heading', { name: 'When one core wins' })).toBeFocused()
  const reached = (words: string) => expect(lesson(page)).toContainText(words, LONG)
  const to = async (name: string, role: 'button' | 'radio' = 'button') => {
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab')
      if (
        await lesson(page)
          .getByRole(role, { name, exact: true })
          .evaluate((each) => each === document.activeElement)
      )
        return
    }
    throw new Error(`${name} is not reached by Tab`)
  }
  await page.keyboard.press('Control+Enter')
  await reached('4 s: 200 × 20 ms')
  await to('Next step')
  await page.keyboard.press('Enter')
  await expect(lesson(page).getByText('Now all four work')).toBeFocused()
  await to('1 s: four workers, a quarter of the time', 'radio')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await to('That is my guess')
  await page.keyboard.press('Enter')
  await to('Hint')
  await page.keyboard.press('Enter')
  await to('Do it for me')
  await page.keyboard.press('Enter')
  await reached('You said “4 s, as before”: right.')
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('onePerStage')
  await expect(lesson(page).locator('.lesson-seen')).toBeFocused()
  await to('Next step')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a lesson is a sheet at the lower edge that leaves the picture free, and folds', async ({ page }) => {
    await visit(page, '?lesson=bottleneck')
    await expect(title(page)).toHaveText('Bakery')
    await lesson(page).getByRole('radio', { name: 'Before Bake' }).tap()
    await lesson(page).getByRole('button', { name: 'That is my guess' }).tap()
    const sheet = await lesson(page).boundingBox()
    expect(sheet!.y).toBeGreaterThan(844 / 2)
    expect(sheet!.y + sheet!.height).toBeLessThanOrEqual(844)
    await run(page)
    await expect(lesson(page)).toContainText('right.')
    await lesson(page).getByRole('button', { name: 'The text of the lesson' }).tap()
    await expect(task(page)).toBeHidden()
    expect((await lesson(page).boundingBox())!.height).toBeLessThan(100)
  })
})

test('the gallery opens from the menu by keyboard, each scenario with a picture of its run, and puts one on the canvas', async ({ page }) => {
  await visit(page)
  await title(page).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const gallery = page.getByRole('dialog', { name: 'Gallery' })
  const all = Object.values(ladders).flat().length
  await expect(gallery.getByRole('listitem')).toHaveCount(all)
  await expect(gallery.locator('.glimpse.there')).toHaveCount(all, LONG)
  // Three jobs, all at Parse: then some at each; the picture is that of the run which the same scenario makes on the page.
  await expect(gallery.getByRole('button', { name: /^Worked example/ }).locator('path.seats')).toHaveCount(2)
  await gallery.getByRole('button', { name: /^Six jobs through three stages/ }).press('Enter')
  await expect(gallery).toHaveCount(0)
  await expect(title(page)).toHaveText('Six jobs through three stages')
  await run(page)
  await expect(statusOf(page)).toHaveText(/^Finished: 6 of 6 jobs in 1\.6 s/)
})

test('a lesson that there is not is refused in words', async ({ page }) => {
  await visit(page, '?lesson=nonsense')
  await expect(page.getByRole('alert')).toContainText('There is no lesson “nonsense”.')
  await chooseScenario(page, 'Worked example')
  await expect(lesson(page)).toHaveCount(0)
})

for (const [colorScheme, viewport] of [
  ['light', { width: 1440, height: 900 }],
  ['dark', { width: 390, height: 844 }],
] as const) {
  test.describe(`${colorScheme}, ${viewport.width} wide`, () => {
    test.use({ viewport, colorScheme, reducedMotion: 'reduce' })
    test('nothing serious stands in the way of anyone who looks at the gallery, the lessons, or one of them', async ({ page }) => {
      await visit(page)
      await title(page).click()
      await page.getByRole('menuitem', { name: 'Gallery' }).click()
      await expect(page.locator('.glimpse.there').first()).toBeVisible(LONG)
      await expectAccessible(page, 'gallery')
      await page.keyboard.press('Escape')
      await title(page).click()
      await page.getByRole('menuitem', { name: 'Lessons' }).click()
      await expectAccessible(page, 'list of lessons')
      await page.getByRole('button', { name: /^The bottleneck/ }).click()
      await lesson(page).getByRole('radio', { name: 'Before Mix' }).check()
      await expectAccessible(page, 'question')
      await lesson(page).getByRole('button', { name: 'That is my guess' }).click()
      await run(page)
      await expect(lesson(page)).toContainText('not so.')
      await page.getByRole('button', { name: 'Pause' }).click()
      await expectAccessible(page, 'what was to be seen')
    })
  })
}
