import { expect, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { chooseEngine, chooseScenario, downloadTrace, LONG, run, unfold, visit } from './driver/visit.ts'

test('on Web Workers the ring shows the missing ticket and the jobs that wait behind it; the other orders are compared with the run', {
  tag: '@alone',
}, async ({ page }) => {
  await visit(page)
  await chooseScenario(page, 'The price of order')
  await chooseEngine(page, 'Web Workers')
  await run(page)
  const order = page.getByRole('article', { name: 'Order' })
  await unfold(order)
  await expect(order.getByRole('row', { name: /Longest hole/ })).toContainText('ms')
  const most = order.getByRole('row', { name: /Most held/ })
  const held = Number(await most.getByRole('cell').first().textContent())
  // The number of jobs behind a missing ticket depends on the machine, but never exceeds the room.
  expect(held).toBeGreaterThan(0)
  expect(held).toBeLessThan(32)
  const link = most.getByRole('button')
  const ticket = (await link.textContent())?.replace(/\D/g, '')
  await link.click()
  await expect(order).toContainText(
    new RegExp(`Ticket ${ticket} is missing: worker [1-4] has it at Convert; ${held} jobs wait behind it.`),
  )
  await expect(order.getByRole('img')).toHaveAttribute(
    'aria-label',
    new RegExp(`waiting for ticket ${ticket}; ${held} held`),
  )
  const comparison = order.getByTestId('order-comparison')
  await order.getByRole('heading', { name: /Every order/ }).scrollIntoViewIfNeeded()
  await expect(
    comparison
      .getByRole('row', { name: /Out of order/ })
      .getByRole('cell')
      .first(),
  ).toHaveText('0', LONG)
  await expect(comparison.getByRole('columnheader')).toHaveText([
    'Figure',
    'In order, by a buffer',
    'As they are done',
    'In order, by shards',
  ])
  const { events, kinds } = await downloadTrace(page)
  const released = events.job.filter((_, i) => kinds[events.kind[i]] === 'released')
  expect(released).toEqual(Array.from({ length: 600 }, (_, job) => job))
})

test('on Web Workers shards are chosen at the sink, show the next worker, and let all jobs leave in order without a ring', async ({
  page,
}) => {
  const stages = [
    { id: 'A', name: 'Parse', work: 'wait', service: { kind: 'constant', mean: 4000 } },
    { id: 'B', name: 'Write', work: 'wait', service: { kind: 'exponential', mean: 8000 } },
  ]
  await visit(
    page,
    jsonLink({
      version: 1,
      source: { kind: 'batch', jobs: 60 },
      stages,
      workers: 4,
      policy: { kind: 'fixed', allocation: { A: 1, B: 3 } },
    }),
  )
  await page.getByRole('group', { name: 'Sink' }).click()
  await page.getByRole('combobox', { name: 'Jobs leave' }).selectOption('In order, by shards')
  await expect(page.getByRole('group', { name: 'Sink, ordered' })).toBeVisible()
  await chooseEngine(page, 'Web Workers')
  await run(page)
  await page.getByRole('tab', { name: 'Decision' }).click()
  const order = page.getByRole('article', { name: 'Order' })
  await unfold(order)
  await expect(order).toContainText('shards')
  await expect(order.getByRole('img')).toHaveAttribute('aria-label', /Parse, 1 shard: .*Write, \d shards: /)
  const { events, kinds } = await downloadTrace(page)
  const released = events.job.filter((_, i) => kinds[events.kind[i]] === 'released')
  expect(released).toEqual(Array.from({ length: 60 }, (_, job) => job))
  const started = events.job.filter((_, i) => kinds[events.kind[i]] === 'started' && events.stage[i] === 0)
  expect(started).toEqual(Array.from({ length: 60 }, (_, job) => job))
})
