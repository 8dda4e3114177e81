import { expect, test } from '@playwright/test'
import { drawn, run, statusOf, visit } from './driver/visit.ts'

test('another language can be chosen at any time, is kept for the next visit, and changes only texts', async ({
  page,
}) => {
  const side = page.getByRole('complementary')
  await visit(page)
  await run(page)
  await page.getByRole('slider', { name: 'Time' }).fill('1000000')
  await expect(side.getByRole('heading', { level: 2 }).first()).toHaveText(/^Decision/)
  const [link, status] = [page.url(), await statusOf(page).innerText()]
  const seats = await side.getByRole('table').first().locator('tbody').innerText()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'Русский' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru')
  await expect(page.getByRole('button', { name: 'Пуск', exact: true })).toBeVisible()
  await expect(statusOf(page)).toHaveText(/^Закончено: 600 из 600 задач за \d,\d+ с\./)
  await expect(side.getByRole('heading', { level: 2 }).first()).toHaveText(/^Решение [\d\s]+$/)
  await expect(side.locator('.sentence').first()).toHaveText(/^(Рабоч|Пришл|Конец).*\.$/)
  // The run, the playhead and what is drawn stay.
  await expect(page.getByRole('slider', { name: 'Время' })).toHaveValue('1000000')
  expect(await side.getByRole('table').first().locator('tbody').innerText()).toBe(
    seats.replaceAll(/(\d)\.(\d)/g, '$1,$2'),
  )
  expect(page.url()).toBe(link)

  // A screen reader reads each decision in that language when stepping, and nothing during playback.
  const spoken = side.locator('.sentence').first()
  await drawn(page)
  const before = await spoken.innerText()
  await expect(spoken).toHaveAttribute('aria-live', 'polite')
  await page.getByRole('button', { name: 'Следующее решение' }).click()
  await expect(spoken).not.toHaveText(before)
  await expect(spoken).toHaveText(/^(Рабоч|Пришл|Задач|Конец).*\.$/)
  await page.getByRole('button', { name: 'Показ', exact: true }).click()
  await expect(spoken).toHaveAttribute('aria-live', 'off')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Пуск', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Пуск', exact: true }).click()
  await expect(statusOf(page)).toHaveText(/^Имитация заняла \d/)
  await page.getByRole('button', { name: 'Пауза', exact: true }).click()
  await expect(statusOf(page)).toHaveText(/^Закончено/)

  await page.getByRole('button', { name: 'Ещё', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await expect(statusOf(page)).toHaveText(status)
})
