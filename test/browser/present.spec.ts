import { expect, test } from '@playwright/test'
import { choose, jsonLink, playhead, run, visit, workedExample } from './driver/visit.ts'

test('a room is shown the run by keys alone: large, without controls, and back by Escape', async ({ page }) => {
  await visit(page, jsonLink(workedExample))
  await page.getByRole('button', { name: 'Share' }).focus()
  await page.keyboard.press('p')
  const title = page.locator('.presenter').getByRole('heading', { name: 'Worked example' })
  await expect(title).toBeVisible()
  // What stands in a picture that nobody can touch is no button.
  await expect(page.locator('button:visible:not([inert] *)')).toHaveText(['? keys · Escape leaves'])
  await page.keyboard.press('r')
  await expect(page.getByRole('status')).toHaveText(/^Finished: 3 of 3/)
  const time = page.locator('.parliament')
  await page.keyboard.press('5')
  await expect(time).toContainText('1.500 s')
  await page.keyboard.press('ArrowRight')
  await expect(time).toContainText('2.000 s')
  await page.keyboard.press('PageUp')
  await expect(time).toContainText('1.000 s')
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { name: /^Decision 2/ })).toBeVisible()
  await page.keyboard.press('d')
  // What edits means nothing here.
  await page.keyboard.press('k')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText(/^Speed /)).toBeVisible()
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
  await expect(page.getByRole('radio', { name: /Trunk/ })).toHaveCount(0)

  await page.goto('about:blank')
  await page.goto(`/?present${jsonLink(workedExample)}`)
  await expect(title).toBeVisible()
  await page.keyboard.press('Space')
  await expect(page.getByRole('status')).toHaveText(/^Finished: 3 of 3/)
})

test('a handout has the picture, the figures and the link on one sheet of A4, dark on light whatever the page is', async ({ page }) => {
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
  await expect(sheet.getByText('Least total time, 2 workers, simulated, seed 1, 3 decisions')).toBeVisible()
  await expect(sheet.getByRole('row', { name: 'Makespan 3 s' })).toBeVisible()
  // Within the picture each name is clipped by a picture of its own, which nobody hears of.
  await expect(sheet.getByRole('img', { name: /./ })).toHaveCount(2)
  await expect(sheet.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await expect(sheet.getByText(/^http:.*#s=/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share' })).toBeHidden()
  expect(await sheet.evaluate((element) => [getComputedStyle(element).color, getComputedStyle(document.documentElement).backgroundColor])).toEqual([
    'rgb(28, 27, 25)',
    'rgb(255, 255, 255)',
  ])
  const pdf = await page.pdf({ preferCSSPageSize: true })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1)
  await page.emulateMedia({ media: 'screen' })
  await expect(sheet).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Share' })).toBeVisible()
})
