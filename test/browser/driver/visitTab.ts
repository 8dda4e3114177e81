import { expect } from '@playwright/test'
import type { Tab } from './tab.ts'
import { LONG, type TraceFile, WELL } from './visit.ts'

/** WebKit includes the value of a field in its name. */
export const WORKERS = /^Workers( \d+)?$/

/** Opens the page and waits until the pipeline, which comes last, is drawn. */
export async function visit(tab: Tab, address = ''): Promise<void> {
  await tab.open(address)
  await expect.poll(() => stagesOf(tab), LONG).not.toEqual([])
}

/** The names of the stages in the order of the line. */
export async function stagesOf(tab: Tab): Promise<readonly string[]> {
  return (await tab.names('group')).flatMap((name) => /^Stage (.*), [^,]*, \d+ of \d+$/.exec(name)?.slice(1) ?? [])
}

/** Waits until the figure in the answer bar is that of the scenario on the canvas. */
export async function answered(tab: Tab, figure = /\d|–/): Promise<void> {
  const shown = `document.querySelector('.answer-figure[data-stale=false] strong')?.textContent ?? ''`
  await expect.poll(() => tab.evaluate<string>(shown), LONG).toMatch(figure)
}

/** An `ending` as text is read with the playback paused. */
export async function run(tab: Tab, ending?: RegExp): Promise<void> {
  await tab.press('button', 'Run')
  await expect.poll(() => tab.text('status'), LONG).toMatch(/^(Simulated|Finished|Stopped|Failed)/)
  // At once: if the playback ends first, there is nothing to pause.
  if (ending !== undefined)
    await tab.evaluate(`document.querySelector('[data-control~=play][aria-label=Pause]')?.click()`)
  expect(await tab.text('status')).toMatch(ending ?? WELL)
}

/** The result of a function of sameEverywhere.ts in the engine. */
export function same(tab: Tab, call: string): Promise<unknown> {
  return tab.evaluate(`import('./sameEverywhere.js').then((same) => same.${call})`)
}

/** The result of a method of the saved file, caught when the page passes the file to the browser. */
export async function saved(tab: Tab, method: string, save: () => Promise<void>): Promise<string> {
  await tab.evaluate(
    `void (window.saved = new Promise((resolve) => { const real = URL.createObjectURL; URL.createObjectURL = (blob) => (resolve(blob.${method}), real(blob)) }))`,
  )
  await save()
  return tab.evaluate<string>('window.saved')
}

export async function downloadTrace(tab: Tab): Promise<TraceFile> {
  await tab.press('button', 'More')
  // By the page: in WebKit the driver finds no place to press in a menu that opens for the second time.
  const item = `[...document.querySelectorAll('[role=menuitem]')].find((each) => each.checkVisibility() && each.innerText.startsWith('Download trace'))`
  await expect.poll(() => tab.evaluate(`${item} !== undefined`), LONG).toBe(true)
  return JSON.parse(await saved(tab, 'text()', () => tab.evaluate(`void ${item}.click()`))) as TraceFile
}
