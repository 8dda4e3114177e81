import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { drawn, LONG, playhead, run, statusOf, visit } from './driver/visit.ts'

/** Cut takes 73.1 ms, always. Two workers serve it, so it is busy most of the time. */
const workshop = {
  version: 1,
  title: 'Workshop',
  seed: 7,
  source: { kind: 'poisson', rate: 17, jobs: 80 },
  stages: [
    { id: 'A', name: 'Cut', service: { kind: 'constant', mean: 73_100 } },
    { id: 'B', name: 'Sew', service: { kind: 'exponential', mean: 38_000 } },
  ],
  workers: 3,
  policy: { kind: 'adams' },
}
const hiding = (...hidden: object[]) => jsonLink({ ...workshop, hidden })
const cut = { kind: 'service', stage: 'A' }

const panel = (page: Page) => page.getByRole('article', { name: 'What is hidden?' })
const guess = (page: Page, name: string) => panel(page).getByRole('form', { name })

/** All visible and spoken texts of the page: texts, labels, descriptions, values of fields. */
function readable(page: Page): Promise<string> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .flatMap((each) => [
        ...['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder'].map((name) =>
          each.getAttribute(name),
        ),
        each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement ? each.value : null,
        each instanceof HTMLSelectElement ? (each.selectedOptions[0]?.textContent ?? null) : null,
        each instanceof HTMLOptionElement
          ? null
          : [...each.childNodes]
              .flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.textContent] : []))
              .join(''),
      ])
      .join('\n'),
  )
}

test('is made with two presses in Share, and its link has the value without showing it', async ({
  page,
  browser,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, jsonLink(workshop))
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this scenario' })
  await dialog.getByRole('button', { name: 'As a mystery' }).click()
  await dialog.getByRole('button', { name: 'The service time of Cut' }).click()
  const link = await dialog.getByRole('textbox', { name: 'Link that hides the service time of "Cut"' }).inputValue()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await expect(dialog.getByRole('button', { name: 'Copied the link with the mystery' })).toHaveText('Copied')
  const other = await (await browser.newContext()).newPage()
  await other.goto(link)
  await expect(statusOf(other)).toHaveText(
    'This scenario hides the service time of "Cut". Press Run, watch, and guess.',
  )
  await expect(other.getByRole('button', { name: 'Undo' })).toBeDisabled()
  await run(other)
  await guess(other, 'The service time of Cut').getByRole('textbox').fill('73.1 ms')
  await other.keyboard.press('Enter')
  await expect(panel(other)).toContainText('Right: 73.1 ms is within 2% of the mean service time.')
  await other.context().close()
})

test('does not reveal the service time anywhere: cards, forms, JSON, results, theory, tooltips, comparisons', async ({
  page,
}) => {
  await visit(page, hiding(cut))
  const expectHidden = async (where: string) => expect(await readable(page), where).not.toMatch(/73[.,]1|73,?100/)
  await expect(page.getByRole('group', { name: /^Stage Cut, its service time is hidden/ })).toBeVisible()
  await expectHidden('before the run')
  await run(page)
  await expectHidden('after the run')
  for (const tab of ['Results', 'JSON', 'Decision', 'Settings']) {
    await page.getByRole('tab', { name: tab }).click()
    await drawn(page)
    if (tab === 'Results') await expect(page.getByRole('article', { name: 'Results' })).toContainText('?')
    await expectHidden(tab)
  }
  await page.getByRole('group', { name: /^Stage Cut/ }).click({ position: { x: 20, y: 12 } })
  await expect(page.getByText('The service time is hidden. Guess it')).toBeVisible()
  await expectHidden('the form of the stage')
  for (const tab of ['Compare', 'What if', 'Real vs simulated', 'Timeline']) {
    await page.getByRole('tab', { name: tab }).click()
    await drawn(page)
    await expectHidden(tab)
  }
  await page.getByRole('tab', { name: 'What if' }).click()
  await expect(page.getByRole('combobox', { name: 'Vary' })).not.toContainText('Cut')
  await page.getByRole('tab', { name: 'Timeline' }).click()
  const lanes = page.getByRole('application', { name: /^Timeline/ })
  await lanes.hover({ position: { x: 300, y: 40 } })
  await drawn(page)
  await expectHidden('a lane under the pointer')
  await page.getByRole('tab', { name: 'Decision' }).click()
  await page
    .getByRole('toolbar', { name: /^Workers/ })
    .getByRole('button')
    .first()
    .press('Enter')
  await expectHidden('a worker that is asked')
})

test('tells how far off a guess is, gives hints in steps, and the reveal shows everything', async ({ page }) => {
  await visit(page, hiding(cut))
  await run(page)
  const form = guess(page, 'The service time of Cut')
  const field = form.getByRole('textbox')
  const how = form.getByRole('button', { name: 'Check my guess' })
  await expect(how).toBeDisabled()
  for (const [typed, answer] of [
    ['55 ms', '55 ms is too low.'],
    ['80 ms', '80 ms is close, but too high.'],
    ['7 ms', '7 ms is far too low.'],
    ['soon', 'allowed: times such as 4 ms or 1.5 s'],
  ]) {
    await field.fill(typed)
    await how.click()
    await expect(form).toContainText(answer)
  }
  await form.getByRole('button', { name: 'Hint', exact: true }).click()
  for (let k = 0; k < 2; k++) await form.getByRole('button', { name: 'Next hint' }).click()
  await expect(form.getByRole('button', { name: 'Next hint' })).toBeHidden()
  const hints = await form.getByRole('listitem').allInnerTexts()
  expect(hints).toHaveLength(3)
  // The hints lead to the answer: busy workers divided by jobs per second.
  const [, busy, pace] = /is ([\d.]+) workers divided by ([\d.]+)/.exec(hints[2]) ?? []
  expect(Math.abs(Number(busy) / Number(pace) / 0.0731 - 1)).toBeLessThan(0.02)
  // The hints stay while another tab is open.
  await page.getByRole('tab', { name: 'Results' }).click()
  await page.getByRole('tab', { name: 'Decision' }).click()
  await expect(form.getByRole('listitem')).toHaveCount(3)
  expect((await new AxeBuilder({ page }).include('.mystery').analyze()).violations).toEqual([])
  // At the end every stage has been measured.
  await playhead(page).press('End')
  await form.getByRole('button', { name: 'Reveal' }).click()
  await expect(statusOf(page)).toHaveText('Revealed: the service time of "Cut" is 73.1 ms on average.')
  await expect(page.getByRole('article', { name: 'Decision' })).toContainText('73.1')
  await expect(page.getByRole('group', { name: /^Stage Cut, 73.1 ms on average/ })).toBeVisible()
  // Undo hides it in the scenario again; a person who has seen it still sees it.
  // The reveal does not change the run.
  await expect(page.getByText('Edited since this run')).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('article', { name: 'Decision' })).toContainText('73.1')
})

test('a hidden policy is named nowhere, and a wrong guess is answered with its group', async ({ page }) => {
  await visit(page, hiding({ kind: 'policy' }))
  await expect(page.getByRole('combobox', { name: 'Policy' }).first()).toHaveText('Hidden')
  await run(page)
  const form = guess(page, 'The policy')
  await form.getByRole('combobox').selectOption({ label: 'Jefferson' })
  await form.getByRole('button', { name: 'Check my guess' }).click()
  await expect(form).toContainText('It is not Jefferson, but a policy of the same group')
  await form.getByRole('combobox').selectOption({ label: 'Longest queue' })
  await form.getByRole('button', { name: 'Check my guess' }).click()
  await expect(form).toContainText('It is not Longest queue, and not a policy of its group')
  for (const tab of ['Results', 'JSON', 'Settings']) {
    await page.getByRole('tab', { name: tab }).click()
    await drawn(page)
    expect(await readable(page), tab).not.toMatch(/adams/i)
  }
  // Even in the comparison nothing marks it.
  await page.getByRole('tab', { name: 'Compare' }).click()
  await page.getByText(/of at most 6 policies/).click()
  for (const [name, wanted] of [
    ['Longest queue', false],
    ['Adams', true],
  ] as const)
    await page.getByRole('article', { name: 'Compare' }).getByRole('checkbox', { name, exact: true }).setChecked(wanted)
  const row = page.getByRole('row', { name: /^Adams/ })
  await expect(row).toBeVisible(LONG)
  await expect(row).not.toContainText('…', LONG)
  await expect(page.getByRole('article', { name: 'Compare' }).locator('tr[aria-current]')).toHaveCount(0)
  await page.getByRole('tab', { name: 'Decision' }).click()
  await form.getByRole('combobox').selectOption({ label: 'Adams' })
  await form.getByRole('button', { name: 'Check my guess' }).click()
  await expect(form).toContainText('Right: it is Adams.')
  await form.getByRole('button', { name: 'Reveal' }).click()
  await expect(page.getByRole('combobox', { name: 'Policy' }).first()).toHaveValue('adams')
  await expect(statusOf(page)).toHaveText('Revealed: the policy is Adams.')
})
