import { expect, test } from '@playwright/test'
import { chooseEngine, chooseScenario, downloadTrace, jsonLink, LONG, run, visit } from './visit.ts'

for (const engine of ['Simulation', 'Web Workers'] as const) {
  test(`${engine}: the ring shows who is missing and who waits behind it, and beside the run stands the same without order`, async ({ page }) => {
    await visit(page)
    await chooseScenario(page, 'The price of order')
    await chooseEngine(page, engine)
    await run(page)
    const order = page.getByRole('article', { name: 'Order' })
    await expect(order.getByRole('row', { name: /Longest hole/ })).toContainText('ms')
    const most = order.getByRole('row', { name: /Most held/ })
    const held = Number(await most.getByRole('cell').first().textContent())
    expect(held).toBeGreaterThan(20)
    expect(held).toBeLessThan(32)
    const link = most.getByRole('button')
    const ticket = (await link.textContent())?.replace(/\D/g, '')
    await link.click()
    await expect(order).toContainText(new RegExp(`Ticket ${ticket} is missing: worker [1-4] has it at Convert; ${held} jobs wait behind it.`))
    await expect(order.getByRole('img')).toHaveAttribute('aria-label', new RegExp(`waiting for ticket ${ticket}; ${held} held`))
    const comparison = order.getByTestId('order-comparison')
    await order.getByRole('heading', { name: /Without order/ }).scrollIntoViewIfNeeded()
    await expect(
      comparison
        .getByRole('row', { name: /Out of order/ })
        .getByRole('cell')
        .first(),
    ).toHaveText('0', LONG)
    const { events, kinds } = await downloadTrace(page)
    const released = events.job.filter((_, i) => kinds[events.kind[i]] === 'released')
    expect(released).toEqual(Array.from({ length: 600 }, (_, job) => job))
  })
}

test('a run without order shows no ring', async ({ page }) => {
  await visit(page, jsonLink({ version: 1, source: { kind: 'batch', jobs: 5 }, stages: [{ id: 'A' }], workers: 2 }))
  await run(page)
  await expect(page.getByRole('article', { name: 'Order' })).toHaveCount(0)
})

test('a long comparison is asked for, tells how far it is, and can be called off', async ({ page }) => {
  const many = { version: 1, source: { kind: 'batch', jobs: 400_000 }, stages: [{ id: 'A' }], workers: 4, order: { kind: 'buffer', slots: 1000 } }
  await visit(page, jsonLink(many))
  await run(page)
  const order = page.getByRole('article', { name: 'Order' })
  await order.getByRole('button', { name: 'Compare without order' }).click()
  await expect(order.getByRole('progressbar')).toBeVisible()
  await order.getByRole('button', { name: 'Cancel' }).click()
  await expect(order.getByRole('progressbar')).toHaveCount(0)
  await expect(order.getByRole('button', { name: 'Compare without order' })).toBeVisible()
  await expect.poll(() => page.workers().length).toBe(0)
})
