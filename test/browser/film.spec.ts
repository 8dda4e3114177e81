import { expect, type Page, test } from '@playwright/test'
import { jsonLink, workedExample } from '../fixtures/scenarios.ts'
import { choose, downloadBytes, run, statusOf, visit } from './driver/visit.ts'

test('a film of a run is a WebM or MP4 file of the requested length that shows the run; the export can be cancelled', async ({
  page,
}) => {
  await visit(page, jsonLink(workedExample))
  await run(page)
  await choose(page, 'Save as video')
  const dialog = page.getByRole('dialog', { name: 'Save as video' })
  await dialog.getByRole('spinbutton', { name: 'Length in seconds' }).fill('0')
  await expect(dialog.getByText(/allowed: .* from 1 to 120/)).toBeVisible()
  await dialog.getByRole('spinbutton', { name: 'Length in seconds' }).fill('60')
  await dialog.getByRole('button', { name: 'Make the video' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('combobox', { name: 'Size' }).selectOption('854 × 480')
  await dialog.getByRole('spinbutton', { name: 'Length in seconds' }).fill('2')
  const file = await downloadBytes(page, () => dialog.getByRole('button', { name: 'Make the video' }).click())
  await expect(dialog.getByText(/^Saved: /)).toBeVisible()
  expect(file.length).toBeGreaterThan(5000)
  await page.keyboard.press('Escape')
  await expect(statusOf(page)).toBeVisible()

  await choose(page, 'Save as video')
  await expect(dialog.getByRole('button', { name: 'Make the video' })).toBeVisible()
  const h264 = await page.evaluate(
    async () =>
      (
        await VideoEncoder.isConfigSupported({
          codec: 'avc1.640028',
          width: 1280,
          height: 720,
          framerate: 30,
          bitrate: 3_000_000,
        })
      ).supported,
  )
  const films = [[file, 'video/webm']] as [Buffer, string][]
  if (h264 === true) {
    await dialog.getByRole('combobox', { name: 'Format' }).selectOption('MP4')
    await dialog.getByRole('combobox', { name: 'Size' }).selectOption('854 × 480')
    await dialog.getByRole('spinbutton', { name: 'Length in seconds' }).fill('2')
    const mp4 = await downloadBytes(page, () => dialog.getByRole('button', { name: 'Make the video' }).click())
    films.push([mp4, 'video/mp4'])
  }
  for (const [film, type] of films) await playsWell(page, film, type)
})

/** Plays a film of two seconds in a separate page, whose policy allows blobs. */
async function playsWell(page: Page, file: Buffer, type: string): Promise<void> {
  await page.goto('about:blank')
  const seen = await page.evaluate(
    async ({ base64, type }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const video = document.createElement('video')
      video.muted = true
      document.body.append(video)
      video.src = URL.createObjectURL(new Blob([bytes], { type }))
      await new Promise((resolve, reject) => {
        video.onloadeddata = resolve
        video.onerror = () => reject(new Error(video.error?.message))
      })
      const canvas = document.createElement('canvas')
      canvas.width = video.videoWidth
      canvas.height = video.videoHeight
      const pixels = async (time: number) => {
        // The seek ends before the frame is shown.
        const shown = new Promise((resolve) => video.requestVideoFrameCallback(resolve))
        video.currentTime = time
        await shown
        canvas.getContext('2d')?.drawImage(video, 0, 0)
        return canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray()
      }
      const [early, late] = [await pixels(0.1), await pixels(1.8)]
      let changed = 0
      for (let i = 0; i < early.length; i += 4) if (Math.abs(early[i] - late[i]) > 40) changed++
      return {
        duration: video.duration,
        width: video.videoWidth,
        height: video.videoHeight,
        changed,
        grounds: [early[0], late[0]],
      }
    },
    { base64: file.toString('base64'), type },
  )
  expect(seen).toMatchObject({ width: 854, height: 480 })
  expect(seen.duration).toBeCloseTo(2, 2)
  expect(seen.changed).toBeGreaterThan(1000)
  // The background of the page, and not black.
  for (const ground of seen.grounds) expect(ground).toBeGreaterThan(230)
}
