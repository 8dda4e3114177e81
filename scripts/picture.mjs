// Makes the pictures of README.md and docs/ from the built page, in docs/pictures.
//
//   npm run picture                     all of them
//   npm run picture -- decision         those with "decision" in the name
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { build, preview } from 'vite'
import { browserPath } from './browser.mjs'
import { cache, root } from './bundle.mjs'

const folder = join(root, 'docs/pictures')
/** The first preset of the full page. An option in the address skips the front page. */
const rushHour = '?hide=keys'

/** Each writes a file: PNG shows the page, SVG is exported by the page. */
const pictures = {
  async run(open) {
    const page = await open(rushHour, { width: 1440, height: 900 })
    await play(page)
    writeFileSync(join(folder, 'run.svg'), await filmOf(page))
  },
  async draw(open) {
    const shop = encodeURIComponent(readFileSync(join(root, 'docs/examples/web-shop.json'), 'utf8'))
    const page = await open(`?hide=transport,views,timeline#json=${shop}&t=1500000&run=simulation`, {
      width: 1100,
      height: 600,
    })
    await page.getByRole('group', { name: /^Stage Charge card/ }).click({ position: { x: 60, y: 20 } })
    await page.waitForTimeout(800)
    await shoot(page, 'draw')
  },
  async threads(open) {
    const page = await open('?hide=panels', { width: 1160, height: 700 })
    await page.getByRole('button', { name: /^Scenarios/ }).click()
    await page.getByRole('menuitem', { name: /^A picture, tile by tile/ }).click()
    await play(page)
    await seek(page, 0.55)
    await shoot(page, 'threads')
  },
  async decision(open) {
    const page = await open(rushHour, { width: 1440, height: 705 })
    await play(page)
    await seek(page, 1_043_000)
    await shoot(page.getByRole('complementary', { name: 'Details' }), 'decision')
  },
  async compare(open) {
    const page = await open('?hide=panels', { width: 1160, height: 1440 })
    await play(page)
    await page.getByRole('tab', { name: 'Compare' }).click()
    await page.getByText('First difference', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'hidden' })
    await seek(page, 1_043_000)
    const { x, y, width, height } = await page.getByRole('tabpanel', { name: 'Compare' }).boundingBox()
    // The line below the chosen tab reaches into the panel.
    await page.screenshot({ path: join(folder, 'compare.png'), clip: { x, y: y + 3, width, height: height - 3 } })
  },
  async learn(open) {
    const page = await open(rushHour, { width: 1160, height: 760 })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: /^Gallery/ }).click()
    await page.waitForTimeout(3000)
    await shoot(page.getByRole('dialog'), 'learn')
  },
}

async function play(page) {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page
    .getByRole('status')
    .filter({ hasText: /^(Simulated|Finished)/ })
    .waitFor({ timeout: 120_000 })
}

/** Puts the playhead at a time in microseconds, or at a share of the run. */
async function seek(page, time) {
  const slider = page.getByRole('slider', { name: 'Time' })
  await slider.fill(String(time < 1 ? Math.round(time * Number(await slider.getAttribute('max'))) : time))
  await page.waitForTimeout(400)
}

async function shoot(what, name) {
  await what.screenshot({ path: join(folder, `${name}.png`) })
}

const FRAMES = 60
const SECONDS = 12

/** Returns an animated SVG: the exported picture, its seats at many times, and a cover over the part that has not happened yet. */
async function filmOf(page) {
  const slider = page.getByRole('slider', { name: 'Time' })
  const end = Number(await slider.getAttribute('max'))
  const frames = []
  for (let k = 0; k < FRAMES; k++) {
    const time = Math.round((end * k) / (FRAMES - 1))
    await slider.fill(String(time))
    frames.push({ share: k / (FRAMES - 1), svg: await exported(page) })
  }
  return animated(frames)
}

async function exported(page) {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save picture as SVG' }).click()
  return readFileSync(await (await saved).path(), 'utf8')
}

/** The parliament is the only group of an exported picture. Everything else in it is the same at every time. */
function animated(frames) {
  const still = frames[0].svg
  const ground = still.match(/<rect [^>]*fill="(#\w+)"/)[1]
  const top = Number(still.match(/<svg x="\d+" y="(\d+)"/)[1])
  // The lane of the last worker; no bar is as wide.
  const [left, lane, width, height] = [...still.matchAll(bars)]
    .map((bar) => bar.slice(1, 5).map(Number))
    .findLast((bar) => bar[2] > 1000)
  const [right, foot] = [left + width, lane + height]
  const shown = frames.map(({ share, svg }, k) => {
    const x = Math.round(left + share * width)
    const veil = `<path d="M${x},${top}H${right}V${foot}H${x}Z" fill="${ground}" fill-opacity=".75"/><path d="M${x},${top}V${foot}" stroke="#7a1c2a" stroke-width="2"/>`
    const delay = ((k * SECONDS) / frames.length).toFixed(2)
    return `<g class="f" style="animation-delay:${delay}s">${svg.match(parliament)[0].trim()}${veil}</g>\n`
  })
  const share = (100 / frames.length).toFixed(3)
  // Readers who prefer no motion see the frame in the middle of the run.
  const style = `<style>
.f{visibility:hidden;animation:f ${SECONDS}s step-end infinite}
@keyframes f{0%{visibility:visible}${share}%{visibility:hidden}}
@media(prefers-reduced-motion:reduce){.f{animation:none}.f:nth-of-type(${Math.round(frames.length / 2)}){visibility:visible}}
</style>
`
  return oneColourOnePath(still.replace(parliament, '')).replace(/<\/svg>\n$/, `${style}${shown.join('')}</svg>\n`)
}

const parliament = /<g transform[\s\S]*?<\/g>\n/
const bars = /<rect x="(\d+)" y="([\d.]+)" width="(\d+)" height="([\d.]+)" fill="(#\w+)"\/>\n/g

/** Draws all bars of one colour as one path, which takes a third of the space. */
function oneColourOnePath(svg) {
  const paths = new Map()
  const rest = svg.replace(bars, (_, x, y, width, height, fill) => {
    paths.set(fill, `${paths.get(fill) ?? ''}M${x},${y}h${width}v${height}h-${width}z`)
    return ''
  })
  return rest.replace(
    /<\/svg>\n$/,
    `${[...paths].map(([fill, d]) => `<path d="${d}" fill="${fill}"/>\n`).join('')}</svg>\n`,
  )
}

mkdirSync(folder, { recursive: true })
const outDir = join(cache, 'picture')
await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } })
const server = await preview({
  root,
  logLevel: 'error',
  build: { outDir },
  preview: { port: 45_300, host: 'localhost', open: false },
})
const browser = await chromium.launch({ executablePath: browserPath() })
const words = process.argv.slice(2)
try {
  for (const [name, make] of Object.entries(pictures)) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue
    const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' })
    await make(async (address, viewport) => {
      const page = await context.newPage()
      await page.setViewportSize(viewport)
      await page.goto(`${server.resolvedUrls.local[0]}${address}`)
      await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
      return page
    })
    await context.close()
    console.log(name)
  }
} finally {
  await browser.close()
  await server.close()
}
