import { expect, type Locator, type Page } from '@playwright/test'
import { drawn } from './visit.ts'

/** Actions of the specs on the canvas, and what they read from it. */

/** The card of a stage. */
export function stage(page: Page, name: string): Locator {
  return page.getByRole('group', { name: new RegExp(`^Stage ${name}, `) })
}

export function runButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Run', exact: true })
}

/** The links on the canvas, as `from>to`, in drawing order. */
export async function linksOf(page: Page): Promise<string[]> {
  return page
    .locator('.react-flow__edge')
    .evaluateAll((edges) => edges.map((edge) => edge.getAttribute('data-id')?.replace(' ', '>') ?? ''))
}

export async function boxOf(what: Locator) {
  const box = await what.boundingBox()
  if (box === null) throw new Error('it is not on the screen')
  return box
}

export async function middle(what: Locator) {
  const { x, y, width, height } = await boxOf(what)
  return { x: x + width / 2, y: y + height / 2 }
}

interface Point {
  readonly x: number
  readonly y: number
}

export async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 12 })
  await page.mouse.up()
}

/** Drags a new stage off its button. The script for it is fetched at the press, so the pointer moves until the stage follows it. */
export async function dragNewStage(page: Page, to: Point): Promise<void> {
  const from = await middle(page.getByRole('button', { name: '+ Stage' }))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await expect(async () => {
    await page.mouse.move(from.x + 20, from.y + 20, { steps: 3 })
    await expect(page.locator('.new-stage')).toBeVisible({ timeout: 200 })
  }).toPass()
  await page.mouse.move(to.x, to.y, { steps: 12 })
  await page.mouse.up()
}

/** Drags from the dot on a card's side to the middle of another card, after earlier changes are drawn: they may have moved the cards. */
export async function link(page: Page, from: string, to: string): Promise<void> {
  await drawn(page)
  await stage(page, from).hover({ position: { x: 30, y: 10 } })
  await drag(page, await middle(stage(page, from).locator('.card-source')), await middle(stage(page, to)))
}
