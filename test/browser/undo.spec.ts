import { expect, test } from '@playwright/test'
import { visit } from './driver/visit.ts'

test('edits are undone and done again by keyboard', async ({ page }) => {
  await visit(page)
  const workers = page.getByRole('spinbutton', { name: 'Workers' })
  const policy = page.getByRole('combobox', { name: 'Policy' })
  await workers.fill('5')
  await policy.selectOption('jefferson')
  await page.getByRole('button', { name: 'Share' }).focus()
  await page.keyboard.press('Control+z')
  await expect(policy).toHaveValue('leastScore')
  await expect(page.getByText('Undone, 1 left.')).toBeAttached()
  await page.keyboard.press('Control+z')
  await expect(workers).toHaveValue('8')
  await page.keyboard.press('Control+Shift+z')
  await expect(workers).toHaveValue('5')
  await page.keyboard.press('Control+y')
  await expect(policy).toHaveValue('jefferson')
  await expect(page.getByText('Redone, 0 left.')).toBeAttached()
})
