import { expect, test } from '@playwright/test'
import { chooseEngine, run, visit } from './driver/visit.ts'
import { neverVisited } from './driver/visits.ts'

// If they are blocked, the console reports it.
test.use({ serviceWorkers: 'allow', storageState: neverVisited })

test('the built page loads only from its own origin, breaks no policy and logs nothing', async ({ page, baseURL }) => {
  const complaints: string[] = []
  const foreign: string[] = []
  const answers: Record<string, string>[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '') && !/^(data|blob):/.test(request.url())) foreign.push(request.url())
  })
  page.on('response', (response) => answers.push(response.headers()))
  await page.goto('/')
  await expect(page).toHaveTitle(/Apportion/)
  await expect(page.locator('#root')).not.toBeEmpty()
  await page.waitForLoadState('networkidle')
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])

  // Every file comes with the headers that isolate the page.
  expect(answers.length).toBeGreaterThan(1)
  for (const headers of answers) {
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/)
  }
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
})

test('the response "not modified" has these headers too, which WebKit checks for the script of a worker', async ({
  page,
  request,
}) => {
  await page.goto('/')
  const script = await page.evaluate(() => document.scripts[0].src)
  const etag = (await request.get(script)).headers().etag
  const again = await request.get(script, { headers: { 'If-None-Match': etag } })
  expect(again.status()).toBe(304)
  expect(again.headers()).toMatchObject({
    'cross-origin-embedder-policy': 'require-corp',
    'content-security-policy': expect.stringMatching(/^default-src 'none'/),
  })
})

test('neither the page nor a thread can run text as code, fetch a foreign address or start a foreign script', {
  tag: '@alone',
}, async ({ page, baseURL }) => {
  const foreign: string[] = []
  const scripts: string[] = []
  page.context().on('request', (request) => {
    scripts.push(request.url())
    if (!request.url().startsWith(baseURL ?? '') && !/^(data|blob):/.test(request.url())) foreign.push(request.url())
  })
  await visit(page)
  await chooseEngine(page, 'Web Workers')
  await run(page)
  expect(await page.evaluate(tryAll)).toEqual(refused)
  // The conductor starts the pool, and all threads have ended with the run, so one more of each is started here.
  for (const name of ['conductor.worker', 'pool.worker']) {
    const script = scripts.find((address) => address.includes(`/${name}`)) ?? ''
    const started = page.waitForEvent('worker', (worker) => worker.url() === script)
    // Kept in a variable, because a worker without a reference may be collected.
    await page.evaluate(
      (address) => void Object.assign(window, { kept: new Worker(address, { type: 'module' }) }),
      script,
    )
    expect(await (await started).evaluate(tryAll)).toEqual(refused)
  }
  expect(foreign).toEqual([])
})

const refused = {
  text: 'EvalError require-trusted-types-for',
  timer: 'EvalError require-trusted-types-for',
  foreign: 'TypeError connect-src',
  thread: 'TypeError',
  markup: 'TypeError',
}

/** Tries forbidden actions and returns their results. It runs from a timer, because code evaluated by a debugger is exempt from the policy. */
async function tryAll(): Promise<Record<string, string>> {
  const violated = () =>
    new Promise<string>((resolve) => {
      const timer = setTimeout(() => resolve('nothing'), 60_000)
      addEventListener(
        'securitypolicyviolation',
        (event) => {
          clearTimeout(timer)
          resolve((event as SecurityPolicyViolationEvent).effectiveDirective)
        },
        { once: true },
      )
    })
  const tried = async (act: () => unknown, violates = true): Promise<string> => {
    const directive = violates ? violated() : Promise.resolve('')
    const outcome = await new Promise<string>((resolve) =>
      setTimeout(async () => {
        try {
          await act()
          resolve('done')
        } catch (error) {
          resolve((error as Error).name)
        }
      }),
    )
    return `${outcome} ${await directive}`.trim()
  }
  const inPage = typeof document !== 'undefined'
  return {
    // biome-ignore lint/security/noGlobalEval: the test expects that it is blocked
    text: await tried(() => globalThis.eval('1')),
    timer: await tried(() => new Function('return 1')()),
    foreign: await tried(() => fetch('https://example.com/')),
    thread: await tried(() => new Worker('https://example.com/thread.js'), false),
    markup: inPage ? await tried(() => (document.createElement('div').innerHTML = '<b></b>'), false) : 'TypeError',
  }
}
