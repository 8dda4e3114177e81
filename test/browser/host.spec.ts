import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'

// Where they are blocked the console says so.
test.use({ serviceWorkers: 'allow' })

test('the built page loads from its own origin alone, breaks no policy and says nothing in the console', async ({ page, baseURL }) => {
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '') && !/^(data|blob):/.test(request.url())) foreign.push(request.url())
  })
  await page.goto('/')
  await expect(page).toHaveTitle(/Apportion/)
  await expect(page.locator('#root')).not.toBeEmpty()
  await page.waitForLoadState('networkidle')
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
})

test('what is fetched before the page can be used stays within 250 kB of compressed scripts, in one language', async ({ page }) => {
  const scripts: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body())
  })
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  const bytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThanOrEqual(250_000)
})

test('every file comes with the headers that isolate the page', async ({ page }) => {
  const answers: Record<string, string>[] = []
  page.on('response', (response) => answers.push(response.headers()))
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  expect(answers.length).toBeGreaterThan(1)
  for (const headers of answers) {
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/)
  }
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
})
