import '../../../../src/app/shell/page/app.css'
import '../../../../src/features/reality/page/reality.css'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'

/** Returns the first element of some markup on a screen of this size. */
async function onScreen(width: number, height: number, html: string): Promise<HTMLElement> {
  await page.viewport(width, height)
  const host = document.body.appendChild(document.createElement('div'))
  onTestFinished(() => host.remove())
  host.innerHTML = html
  return host.firstElementChild as HTMLElement
}
afterEach(() => page.viewport(1280, 720))

test('the tools beside a pipeline of several rows are as high as their text, on a phone too', async () => {
  const tools =
    '<div class="canvas-tools"><button class="icon">a</button><button class="icon wide new-stage-button">+ Stage</button></div>'
  const stage = await onScreen(
    390,
    844,
    `<section class="stage" data-docked="true" style="height:420px;position:relative">${tools}</section>`,
  )
  expect(stage.querySelector('.new-stage-button')?.clientHeight).toBeLessThanOrEqual(48)
})

test('on a phone on its side the time slider is as wide as the record', async () => {
  const buttons = `<fieldset class="transport-buttons">${'<button class="icon" style="min-width:40px">x</button>'.repeat(5)}</fieldset>`
  const head = await onScreen(
    844,
    390,
    `<div class="record-head" style="width:500px"><div class="transport">${buttons}<input class="scrub" type="range"><span class="time">1.234 s of 61.500 s</span></div></div>`,
  )
  expect(head.querySelector('.scrub')?.clientWidth).toBeGreaterThan(440)
})

test('a figure and its table stand beside each other only where there is room for both', async () => {
  for (const [width, columns] of [
    [520, 1],
    [740, 1],
    [1000, 2],
  ]) {
    const body = '<div class="reality-body"><div></div><div></div></div>'
    const panel = await onScreen(
      1280,
      720,
      `<article class="record-panel reality" style="width:${width}px">${body}</article>`,
    )
    const { gridTemplateColumns } = getComputedStyle(panel.querySelector('.reality-body') as Element)
    expect(gridTemplateColumns.split(' ')).toHaveLength(columns)
  }
})
