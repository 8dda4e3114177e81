import { expect, type Page, test } from '@playwright/test'
import { ladders } from '../../src/features/lessons/content/lessons.ts'
import { jsonLink, longExample } from '../fixtures/scenarios.ts'
import { expectAccessible, testWideAndNarrow } from './driver/accessible.ts'
import { choose, LONG, pause, run, visit } from './driver/visit.ts'

const title = (page: Page) => page.getByRole('button', { name: /^Scenarios/ })
const lesson = (page: Page) => page.getByRole('region', { name: 'Lesson' })
/** Presses Run, waits for its end, and skips the playback to it. */
async function runToEnd(page: Page): Promise<void> {
  await run(page)
  await lesson(page).getByRole('button', { name: 'Skip to the end' }).click()
}
const task = (page: Page) => lesson(page).locator('.lesson-task')

test('the first lesson is one press away, ticks finished steps, is restored after a reload, and is marked in the list', async ({
  page,
}) => {
  await visit(page, jsonLink(longExample))
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('5')
  await page.getByRole('button', { name: 'New to this? Take the first lesson (4 min)' }).click()
  await expect(lesson(page).getByRole('heading', { name: 'Why a pipeline at all?' })).toBeFocused()
  await expect(title(page)).toHaveText('Why a pipeline at all?')
  await expect(task(page)).not.toHaveClass(/done/)
  await run(page)
  await expect(task(page)).not.toHaveClass(/done/)
  await lesson(page).getByRole('button', { name: 'Skip to the end' }).click()
  await expect(task(page)).toHaveClass(/done/)
  await lesson(page).getByRole('button', { name: 'Next step' }).click()
  // The question comes before the explanation.
  await expect(task(page)).toHaveCount(0)
  await lesson(page).getByRole('radio', { name: '6 s' }).check()
  await lesson(page).getByRole('button', { name: 'Confirm my guess' }).click()
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('3')
  await page.getByRole('combobox', { name: 'Policy' }).selectOption('One per stage')
  await runToEnd(page)
  await expect(lesson(page)).toContainText('Your guess was “6 s”: wrong.')
  await lesson(page).getByRole('button', { name: 'Next step' }).click()
  await lesson(page).getByRole('button', { name: 'Hint' }).click()
  await expect(lesson(page)).toContainText('Try 3 s.')
  await page.reload()
  await expect(lesson(page)).toContainText('2 of 5 steps done')
  await lesson(page).getByRole('button', { name: 'Leave the lesson' }).click()
  await expect(lesson(page)).toHaveCount(0)
  await expect(title(page)).toHaveText('A long example')
  await expect(page.getByRole('spinbutton', { name: 'Workers' })).toHaveValue('5')
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
  await to('Less than 1.5 s', 'radio')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await to('Confirm my guess')
  await page.keyboard.press('Enter')
  await to('Do it for me')
  await page.keyboard.press('Enter')
  await reached('Your guess was “3 s to 5 s”: right.')
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('onePerStage')
  await expect(lesson(page).locator('.lesson-seen')).toBeFocused()
  await to('Next step')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('on a narrow page a lesson is a sheet at the lower edge that does not cover the picture, and can be folded', async ({
    page,
  }) => {
    await visit(page, '?lesson=bottleneck')
    await expect(title(page)).toHaveText('The bottleneck')
    await lesson(page).getByRole('radio', { name: 'Before Bake' }).tap()
    await lesson(page).getByRole('button', { name: 'Confirm my guess' }).tap()
    const sheet = await lesson(page).boundingBox()
    expect(sheet!.y).toBeGreaterThan(844 / 2)
    expect(sheet!.y + sheet!.height).toBeLessThanOrEqual(844)
    await runToEnd(page)
    // All queues are in sight above it.
    for (const card of await page.getByRole('group', { name: /^Stage / }).all()) {
      const { y, height } = (await card.boundingBox())!
      expect(y + height).toBeLessThan((await lesson(page).boundingBox())!.y)
    }
    await expect(lesson(page)).toContainText('right.')
    await lesson(page).getByRole('button', { name: 'Text', exact: true }).tap()
    await expect(task(page)).toBeHidden()
    expect((await lesson(page).boundingBox())!.height).toBeLessThan(100)
  })
})

test('the gallery opens from the menu by keyboard, each scenario with a picture of its run, and puts one on the canvas', async ({
  page,
}) => {
  await visit(page)
  await page.getByRole('button', { name: 'Learn', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const gallery = page.getByRole('dialog', { name: 'Gallery' })
  // Three more have code of their own, two are published incidents, two have clients that give up, and one has urgent jobs.
  const all = Object.values(ladders).flat().length + 8
  await expect(gallery.getByRole('listitem')).toHaveCount(all)
  await expect(gallery.locator('.glimpse.there')).toHaveCount(all, LONG)
  // Three jobs, all at Parse: then some at each. The picture equals the run of the same scenario on the page.
  await expect(gallery.getByRole('button', { name: /^Worked example/ }).locator('path.seats')).toHaveCount(2)
  await gallery.getByRole('button', { name: /^Six jobs through three stages/ }).press('Enter')
  await expect(gallery).toHaveCount(0)
  await expect(title(page)).toHaveText('Six jobs through three stages')
  await run(page, /^Finished: 6 of 6 jobs in 1\.6 s/)
})

test('a link to a lesson that does not exist opens the list of lessons', async ({ page }) => {
  await visit(page, '?lesson=which-policy')
  await page
    .getByRole('dialog', { name: 'Lessons' })
    .getByRole('button', { name: /^The bottleneck/ })
    .click()
  await expect(lesson(page)).toBeVisible()
})

testWideAndNarrow(
  'nothing serious stands in the way of anyone who looks at the gallery, the lessons, or one of them',
  async ({ page }) => {
    await visit(page)
    await choose(page, 'Gallery')
    await expect(page.locator('.glimpse.there').first()).toBeVisible(LONG)
    await expectAccessible(page, 'gallery')
    await page.keyboard.press('Escape')
    await choose(page, 'Lessons')
    await expectAccessible(page, 'list of lessons')
    await page.getByRole('button', { name: /^The bottleneck/ }).click()
    await lesson(page).getByRole('radio', { name: 'Before Mix' }).check()
    await expectAccessible(page, 'question')
    await lesson(page).getByRole('button', { name: 'Confirm my guess' }).click()
    await runToEnd(page)
    await expect(lesson(page)).toContainText(': wrong.')
    await pause(page)
    await expectAccessible(page, 'what was to be seen')
  },
)

test('the lesson on code of one’s own runs on Web Workers without a notice, and counts no simulation', async ({
  page,
}) => {
  await visit(page, '?lesson=own-code')
  await expect(lesson(page).getByRole('heading', { name: 'Your code is the bottleneck' })).toBeFocused()
  await expect(page.getByRole('radio', { name: 'Web Workers' })).toBeChecked()
  await expect(page.getByRole('region', { name: 'Code in this scenario' })).toBeHidden()
  await lesson(page).getByRole('radio', { name: 'Look up' }).check()
  await lesson(page).getByRole('button', { name: 'Confirm my guess' }).click()
  await page.getByRole('radio', { name: 'Simulation' }).check()
  await runToEnd(page)
  await expect(task(page)).not.toHaveClass(/done/)
  await page.getByRole('radio', { name: 'Web Workers' }).check()
  await run(page, /^Finished: 60 of 60 jobs/)
  await expect(lesson(page)).toContainText('Your guess was “Look up”: right.', LONG)
  await lesson(page).getByRole('button', { name: 'Next step' }).click()
  await lesson(page).getByRole('radio', { name: '1.4× or more' }).check()
  await lesson(page).getByRole('button', { name: 'Confirm my guess' }).click()
  await page.getByRole('spinbutton', { name: 'Workers' }).fill('2')
  await run(page, /^Finished: 60 of 60 jobs/)
  await expect(task(page)).toHaveClass(/done/, LONG)
})
