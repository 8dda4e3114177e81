import { expect, type Page, test } from '@playwright/test'
import { alertOf, chooseScenario, downloadBytes, followLink, jsonLink, LONG, playhead, stageNames, statusOf, visit, workedExample } from './driver/visit.ts'

test('Copy puts the link on the clipboard', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Copy' }).first().click()
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await dialog.getByRole('textbox').first().inputValue())
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('a link written by hand opens, starts by itself and stands at the time it names', async ({ page }) => {
  await visit(page, jsonLink(workedExample, '&run=simulation&t=1500000'))
  await expect(statusOf(page)).toHaveText(/^Finished: 3 of 3 jobs in 3/, LONG)
  await expect(playhead(page)).toHaveValue('1500000')
  await expect(page.getByRole('heading', { name: 'Decision 2' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  expect(await stageNames(page)).toEqual(['A', 'B'])
})

test('a link without &run only shows its scenario', async ({ page }) => {
  await visit(page, jsonLink(workedExample))
  expect(await stageNames(page)).toEqual(['A', 'B'])
  await expect(statusOf(page)).toHaveText(/^Ready/)
  expect(page.workers()).toEqual([])
})

test.describe('a bad link is refused in words, at its place, and the work on the screen stays', () => {
  const bad: Readonly<Record<string, { readonly fragment: string; readonly says: RegExp }>> = {
    'a short link that was cut': { fragment: '#s=1abcdeK0zS', says: /cut off or was altered/ },
    'a short link of a newer version': { fragment: '#s=9abcdeK0zS', says: /newer version/ },
    'a scenario of a newer version': { fragment: jsonLink({ ...workedExample, version: 2 }), says: /version.*newer version/ },
    'a text that is not JSON': { fragment: jsonLink('{"version": 1, "stages": ['), says: /not JSON/ },
    'a broken percent sign': { fragment: '#json=%7B%2', says: /URI-encoded/ },
    'the number 1e999': { fragment: jsonLink(JSON.stringify(workedExample).replace('"workers":2', '"workers":1e999')), says: /workers.*Infinity.*1 to 256/ },
    'the key __proto__': { fragment: jsonLink('{"version":1,"__proto__":{"workers":2},"stages":[]}'), says: /__proto__/ },
    '257 workers': { fragment: jsonLink({ ...workedExample, workers: 257 }), says: /workers.*257.*1 to 256/ },
    'an unknown key': { fragment: jsonLink({ ...workedExample, colour: 'red' }), says: /colour/ },
    'a service time of minus one': {
      fragment: jsonLink({ ...workedExample, stages: [{ id: 'A', service: { kind: 'constant', mean: -1 } }] }),
      says: /stages\[0\]\.service\.mean.*-1/,
    },
    'a name of 81 letters': { fragment: jsonLink({ ...workedExample, stages: [{ id: 'A', name: 'x'.repeat(81) }] }), says: /stages\[0\]\.name/ },
    'a hostile id': { fragment: jsonLink({ ...workedExample, stages: [{ id: '<img src=x onerror=alert(1)>' }] }), says: /stages\[0\]\.id/ },
    'more than a million characters': { fragment: `#json=${'x'.repeat(1_100_000)}`, says: /1,\d{3},\d{3} characters.*1,000,000/ },
  }
  test('on a page in use', async ({ page }) => {
    await visit(page)
    await chooseScenario(page, 'Bursts')
    const before = await screenOf(page)
    for (const [name, { fragment, says }] of Object.entries(bad)) {
      await test.step(name, async () => {
        await followLink(page, fragment)
        await expect(alertOf(page)).toHaveText(says)
        expect(await screenOf(page)).toEqual(before)
        await alertOf(page).getByRole('button', { name: 'Dismiss' }).click()
        await expect(alertOf(page)).toBeHidden()
      })
    }
    expect(await page.evaluate(() => Object.hasOwn(Object.prototype, 'workers'))).toBe(false)
  })

  test('opened on a first visit it shows a preset beside the words', async ({ page }) => {
    await visit(page, '#s=1abcdeK0zS')
    await expect(alertOf(page)).toHaveText(/cut off or was altered/)
    await expect(page.getByRole('group', { name: /^Stage / })).toHaveCount(4)
  })
})

test('a link that inflates without end is refused within a moment', async ({ page }) => {
  const { deflateRawSync } = await import('node:zlib')
  const bomb = deflateRawSync(Buffer.alloc(40_000_000)).toString('base64url')
  const { checksum } = await import('../../src/scenario/link/codec.ts')
  await visit(page)
  await followLink(page, `#s=1${checksum(`1${bomb}`)}${bomb}`)
  await expect(alertOf(page)).toHaveText(/inflates to more than/)
  await expect(page.getByRole('group', { name: /^Stage / })).toHaveCount(4)
})

test('a pasted link opens in place of the pipeline on the screen, and Undo brings that back', async ({ page }) => {
  await visit(page)
  const before = await stageNames(page)
  await followLink(page, jsonLink(workedExample))
  await expect.poll(() => stageNames(page)).toEqual(['A', 'B'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => stageNames(page)).toEqual(before)
})

test('what was edited is there again after a reload, however soon that comes', async ({ page }) => {
  await visit(page)
  const workers = page.getByRole('spinbutton', { name: 'Workers' })
  await workers.fill('5')
  // The address follows a little later; from then on it, too, says what was edited before.
  await expect.poll(() => page.url()).toContain('#s=')
  await workers.fill('6')
  await page.reload()
  await expect(workers).toHaveValue('6')
  await page.goto('about:blank')
  await page.goto('/')
  await expect(workers).toHaveValue('6')
})

test('edits are undone and done again by keyboard', async ({ page }) => {
  await visit(page)
  const workers = page.getByRole('spinbutton', { name: 'Workers' })
  const policy = page.getByRole('combobox', { name: 'Policy' })
  await workers.fill('5')
  await policy.selectOption('jefferson')
  await page.getByRole('button', { name: 'Share' }).focus()
  await page.keyboard.press('Control+z')
  await expect(policy).toHaveValue('leastScore')
  await page.keyboard.press('Control+z')
  await expect(workers).toHaveValue('8')
  await page.keyboard.press('Control+Shift+z')
  await expect(workers).toHaveValue('5')
  await page.keyboard.press('Control+y')
  await expect(policy).toHaveValue('jefferson')
})

test('what earlier visits kept and cannot be read is set aside, one text below the other, not overwritten, and said', async ({ page }) => {
  const spoilt = ['{"version": 1, "stages": "none"}', '{"version": 1, "stages": "few"}']
  for (const text of spoilt) {
    await visit(page)
    // Leaving the page saves what is drawn: the text takes its place after that.
    await page.addInitScript((it) => {
      if (sessionStorage.getItem(it) !== null) return
      sessionStorage.setItem(it, 'put')
      localStorage.setItem('apportion.scenario', it)
    }, text)
    await visit(page)
    await expect(alertOf(page)).toHaveText(/cannot be read.*set aside/)
  }
  const kept = await downloadBytes(page, async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Download unreadable text' }).click()
  })
  expect(kept.toString()).toBe(spoilt.join('\n\n'))
})

/** What a refused link must leave as it is. */
async function screenOf(page: Page) {
  return {
    title: await page.getByRole('button', { name: /^Scenarios/ }).innerText(),
    stages: await stageNames(page),
    workers: await page.getByRole('spinbutton', { name: 'Workers' }).inputValue(),
    policy: await page.getByRole('combobox', { name: 'Policy' }).inputValue(),
    status: await statusOf(page).innerText(),
  }
}
