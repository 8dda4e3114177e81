import { expect, type Locator, type Page, test } from '@playwright/test'
import { run, visit } from './driver/visit.ts'

const grip = (page: Page, name: string): Locator => page.getByRole('slider', { name: `Shape: ${name}` })
const field = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true })

async function pull(page: Page, what: Locator, by: { readonly x?: number; readonly y?: number }): Promise<void> {
  await what.scrollIntoViewIfNeeded()
  const box = await what.boundingBox()
  if (box === null) throw new Error('the grip has no box')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + (by.x ?? 0), y + (by.y ?? 0), { steps: 5 })
  await page.mouse.up()
}

test.describe('a service time that is drawn', () => {
  test.beforeEach(async ({ page }) => {
    await visit(page)
    await page.getByRole('group', { name: /^Stage Enrich/ }).click()
  })

  test('is pulled by its mean and its spread with the pointer; the fields and the card follow, and undo reverts each pull', async ({
    page,
  }) => {
    await expect(field(page, 'Mean')).toHaveValue('12 ms')
    await pull(page, grip(page, 'Mean'), { x: 60 })
    await expect(field(page, 'Mean')).not.toHaveValue('12 ms')
    const mean = await field(page, 'Mean').inputValue()
    expect(Number.parseFloat(mean)).toBeGreaterThan(15)
    await expect(
      page.getByRole('group', { name: new RegExp(`^Stage Enrich, ${mean.replace('.', '\\.')} on average`) }),
    ).toBeVisible()
    await expect(page.getByText(/99% within/)).toContainText(`Mean ${mean}, 99% within`)
    await pull(page, grip(page, 'Spread'), { x: -20 })
    await expect(field(page, 'Mean')).toHaveValue(mean)
    await expect(field(page, 'Spread')).not.toHaveValue('0.6')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(field(page, 'Spread')).toHaveValue('0.6')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(field(page, 'Mean')).toHaveValue('12 ms')
    // A probability is pulled up and down.
    await page.getByRole('combobox', { name: 'Distribution' }).selectOption('Two times')
    await pull(page, grip(page, 'Share slow'), { y: -30 })
    await expect.poll(async () => Number(await field(page, 'Share slow').inputValue())).toBeGreaterThan(0.3)
  })

  test('is shaped by keys alone, and can be played', async ({ page }) => {
    await page.getByRole('combobox', { name: 'Distribution' }).focus()
    await page.keyboard.press('Tab')
    await expect(grip(page, 'Mean')).toBeFocused()
    for (let k = 0; k < 3; k++) await page.keyboard.press('PageUp')
    await expect.poll(async () => Number.parseFloat(await field(page, 'Mean').inputValue())).toBeGreaterThan(20)
    const mean = await field(page, 'Mean').inputValue()
    await expect(grip(page, 'Mean')).toHaveAttribute('aria-valuetext', mean)
    await page.keyboard.press('Tab')
    await expect(grip(page, 'Spread')).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await expect(grip(page, 'Spread')).toHaveAttribute('aria-valuetext', /of the mean$/)
    await run(page)
    await page.getByRole('tab', { name: 'Settings' }).click()
    await expect(field(page, 'Mean')).toHaveValue(mean)
  })

  test('is made of measured times that are pasted', async ({ page }) => {
    await page.getByRole('combobox', { name: 'Distribution' }).selectOption('Measured times')
    const times = field(page, 'Times')
    await times.fill('4 ms\n7,x\n9')
    await expect(page.getByText('line 2: "x" is not a time')).toBeVisible()
    await times.fill(Array.from({ length: 900 }, (_, i) => `${(3 + ((i * 37) % 100) / 10).toFixed(1)}`).join('\n'))
    await expect(page.getByText('900 times, each as likely as any other')).toBeVisible()
    await expect(page.getByText(/^The link of the scenario has [\d,]+ characters\.$/)).toBeVisible()
    await expect(page.getByText(/99% within/)).toContainText('Mean 7.95 ms')
    await run(page)
  })
})
