import { type Browser, expect, test } from '@playwright/test'
import { chromiumOptions } from './driver/chromium.ts'
import { type OpenRoom, openRoom } from './driver/openRoom.ts'
import { choose, chooseEngine, downloadBytes, drop, LONG, statusOf, unfold } from './driver/visit.ts'

/** A room as phones on a network reach it: at an insecure address, where browsers disable many features. */
let room: OpenRoom
let browser: Browser
test.beforeAll(async ({ playwright }) => {
  room = await openRoom('phone.test')
  const { args = [], ...others } = chromiumOptions()
  browser = await playwright.chromium.launch({
    ...others,
    args: [...args, '--host-resolver-rules=MAP phone.test localhost'],
  })
})
test.afterAll(async () => {
  await browser.close()
  await room.close()
})

test('over plain http a phone lends its threads, also for hashes, and the host confirms its output', async () => {
  const untrusted = (link: string) => link.replace('//localhost', '//phone.test')
  const [host, phone] = await Promise.all([browser.newPage(), browser.newPage()])
  const errors: string[] = []
  for (const page of [host, phone]) page.on('pageerror', ({ message }) => errors.push(message))
  await phone.goto(untrusted(room.join))
  expect(
    await phone.evaluate(() => [isSecureContext, 'subtle' in crypto, 'locks' in navigator, 'wakeLock' in navigator]),
  ).toEqual([false, false, false, false])
  await expect(phone.getByRole('heading', { name: 'You are in the room.' })).toBeVisible(LONG)

  await host.goto(untrusted(room.host))
  await expect(host.getByRole('article', { name: 'Room' })).toContainText('on 1 device', LONG)
  await drop(
    host,
    'people.jsonl',
    `${['Ada', 'Grace', 'Edith', 'Joan'].map((name) => JSON.stringify({ name })).join('\n')}\n`,
  )
  await host.getByRole('button', { name: 'Use its lines as jobs' }).click()
  await expect(statusOf(host).first()).toHaveText(/^people\.jsonl: 4 lines/, LONG)
  await chooseEngine(host, 'Room')
  await host.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(statusOf(host).filter({ hasText: /^Finished: 4 of 4 jobs/ })).toBeVisible(LONG)
  await host.getByRole('tab', { name: 'Decision' }).click()
  const output = host.getByRole('article', { name: 'Output' })
  await unfold(output)
  await expect(output.getByText('Equal: the same bytes in the same order.')).toBeVisible(LONG)
  const { engine, failures } = JSON.parse(
    (await downloadBytes(host, () => choose(host, 'Download trace'))).toString('utf8'),
  )
  expect([engine, failures]).toEqual(['room', []])
  await expect(phone.getByRole('main')).toContainText('16 jobs done')
  expect(errors).toEqual([])
})
