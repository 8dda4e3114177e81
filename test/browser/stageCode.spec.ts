import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { expect, type Page, test } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { chooseEngine, downloadTrace, run, statusOf, type TraceFile, visit } from './driver/visit.ts'

const service = { kind: 'constant', mean: 1000 }
const stage = (code: string, id = 'A', more = {}) => ({ id, name: id, service, work: { code }, ...more })
const coded = (stages: readonly object[], values: readonly unknown[], more = {}) => ({
  ...{ version: 1, title: 'Code', source: { kind: 'values', values }, stages, workers: 2 },
  ...more,
})

/** Counts what reaches a server that answers everybody. */
async function counting(): Promise<{ readonly address: string; readonly hits: string[]; close(): void }> {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/javascript', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    response.end('export default 1')
  })
  server.on('upgrade', (request, socket) => {
    hits.push(`upgrade ${request.url}`)
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { address: `http://127.0.0.1:${port}/hit`, hits, close: () => server.close() }
}

async function outputOf(page: Page): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download output' }).click()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

const reasons = ({ failures }: TraceFile) => failures.map(({ reason }) => reason as string)

/** Serves the built page as a host does that sends no header but the type. */
async function bareHost(): Promise<{ readonly address: string; close(): void }> {
  const site = new URL('../../node_modules/.cache/apportion/site/', import.meta.url)
  const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', woff2: 'font/woff2' }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/[?#].*/, '').slice(1) || 'index.html'
    readFile(new URL(path, site)).then(
      (bytes) => response.writeHead(200, { 'Content-Type': types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream' }).end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return { address: `http://localhost:${(server.address() as { port: number }).port}/`, close: () => server.close() }
}

async function played(page: Page, scenario: object, ending?: RegExp, host?: string): Promise<TraceFile> {
  if (host === undefined) await visit(page, jsonLink(scenario))
  else {
    await page.goto('about:blank')
    await page.goto(`${host}${jsonLink(scenario)}`)
  }
  await chooseEngine(page, 'Web Workers')
  await run(page, ending)
  return downloadTrace(page)
}

test('three stages of code play on threads of a frame: outputs in order, a state that lasts, and the line of what throws', async ({ page }) => {
  const values = Array.from({ length: 60 }, (_, n) => ({ n }))
  const words =
    'export function setUp() { return { seen: 0 } }\nexport default async ({ n }, { state, tries, job }) => {\n  state.seen++\n  return { n, root: Math.sqrt(n), again: tries, job }\n}'
  const throwing =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    'export default (value, { tries }) => {\n  if (value.n === 7) throw new RangeError(`no ${value.n}`)\n  if (value.n === 9 && tries === 1) throw new Error("once")\n  return value\n}'
  const bytes = 'export default ({ n, again }) => ({ n, list: new Float64Array([n, n / 2]) })'
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
  const sum = 'export default ({ n, list }) => `${n} ${list instanceof Float64Array} ${list[0] + list[1]}`'
  const trace = await played(page, coded([stage(words), stage(throwing, 'B'), stage(bytes, 'C'), stage(sum, 'D')], values), /^Finished/)
  expect(new Set(reasons(trace))).toEqual(new Set(['line 2: RangeError: no 7', 'line 3: Error: once']))
  const expected = values.filter(({ n }) => n !== 7).map(({ n }) => `${n} true ${n * 1.5}\n`)
  expect(await outputOf(page)).toEqual({ name: 'code.txt', text: expected.join('') })
  // One worker alone makes the same bytes.
  await expect(page.getByText('Equal: the same bytes in the same order.')).toBeVisible()
  expect(page.frames()).toHaveLength(1)
})

test('kernels, waiting and code take turns in one pipeline', async ({ page }) => {
  const values = Array.from({ length: 20 }, (_, n) => JSON.stringify({ n }))
  const code = 'export default (value) => ({ ...value, twice: 2 * value.n })'
  const stages = [
    { id: 'A', name: 'A', service, work: 'parseJson' },
    stage(code, 'B'),
    { id: 'C', name: 'C', service, work: 'wait' },
    { id: 'D', name: 'D', service, work: 'sha256' },
  ]
  const trace = await played(page, coded(stages, values), /^Finished/)
  expect(trace.failures).toEqual([])
  const lines = (await outputOf(page)).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ n, twice, sha256 }) => [n, twice, sha256.length])).toEqual(values.map((_, n) => [n, 2 * n, 64]))
})

/** Each must be refused, or be nothing at all. `U` is the address of a server. */
const attempts: readonly string[] = [
  ...[
    'fetch(U)',
    'new XMLHttpRequest().open("GET", U)',
    'new WebSocket(U.replace("http", "ws"))',
    'new EventSource(U)',
    'new WebTransport(U)',
    'importScripts(U)',
    'import(U)',
  ],
  ...[
    'import("data:text/javascript,import " + JSON.stringify(U))',
    'import("/hit")',
    'navigator.sendBeacon(U)',
    'new RTCPeerConnection()',
    'new Worker("data:text/javascript,1")',
  ],
  ...[
    'new SharedWorker("data:text/javascript,1")',
    'new BroadcastChannel("x")',
    'new MessageChannel()',
    'indexedDB.open("x")',
    'caches.open("x")',
    'navigator.storage.getDirectory()',
  ],
  ...[
    'cookieStore.getAll()',
    'navigator.locks.query()',
    'localStorage.length',
    'postMessage(1)',
    'self.postMessage(1)',
    'parent.postMessage(1, "*")',
    'close()',
    'self.close()',
  ],
  ...[
    'addEventListener("message", () => {})',
    'globalThis.addEventListener("message", () => {})',
    'dispatchEvent(new Event("message"))',
    'setTimeout("1")',
    'setInterval(() => {})',
    'queueMicrotask(() => {})',
  ],
  ...[
    'eval("1")',
    'new Function("return 1")()',
    '(async () => {}).constructor("return 1")()',
    'WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))',
    'new Blob([1])',
    'URL.createObjectURL(1)',
  ],
  ...[
    'structuredClone(1)',
    'new Response("x")',
    'new ReadableStream()',
    'performance.now()',
    'location.href',
    'new OffscreenCanvas(1, 1)',
    'crypto.subtle.digest("SHA-256", new Uint8Array(1))',
  ],
  ...[
    'new FileReaderSync()',
    'reportError(1)',
    'Object.getPrototypeOf(globalThis).constructor("return 1")()',
    'MessagePort.prototype.postMessage',
    'self.onmessage({})',
    'require("fs")',
    'process.exit()',
  ],
]

for (const bare of [false, true])
  test(`fifty attempts to reach the network, storage, the page, ports and other threads are all refused${bare ? ', by a host without headers too' : ''}`, async ({
    page,
  }) => {
    const server = await counting()
    const host = bare ? await bareHost() : null
    try {
      const code = `const U = ${JSON.stringify(server.address)}
const attempts = [${attempts.map((text) => `() => ${text}`).join(',\n')}]
export default async (k, { sleep }) => {
  try {
    const made = await attempts[k]()
    await sleep(20)
    return made === undefined ? 'nothing' : 'reached ' + typeof made
  } catch (error) { return 'refused' }
}`
      const crawl = `const seen = new Set(), odd = []
const visit = (value, path) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return
  seen.add(value)
  if (typeof value === 'function' && /Worker|Port|Message|Event|Fetch|Scope|Cache|Request|Response|Storage/.test(value.name)) odd.push(path)
  for (const key of Reflect.ownKeys(value)) {
    const one = Reflect.getOwnPropertyDescriptor(value, key)
    for (const part of [one.value, one.get, one.set]) visit(part, path + '.' + String(key))
  }
  visit(Reflect.getPrototypeOf(value), path + '.proto')
}
export default (k) => { visit(globalThis, 'self'); return odd.length > 0 ? odd.join(' ') : seen.size > 300 ? 'only ECMAScript' : seen.size }`
      const ks = attempts.map((_, k) => k)
      const trace = await played(page, coded([stage(code)], ks), /^Finished/, host?.address)
      expect(trace.failures).toEqual([])
      const answers = (await outputOf(page)).text.trim().split('\n')
      const reached = answers.flatMap((answer, k) => (answer.startsWith('reached') ? [`${attempts[k]}: ${answer}`] : []))
      expect(reached).toEqual([])
      expect(answers).toHaveLength(attempts.length)
      await played(page, coded([stage(crawl)], [1, 2]), /^Finished/, host?.address)
      expect((await outputOf(page)).text).toBe('only ECMAScript\nonly ECMAScript\n')
      await page.waitForTimeout(500)
      expect(server.hits).toEqual([])
    } finally {
      server.close()
      host?.close()
    }
  })

/** Code that attacks, whose other values pass, and what the record says of it. */
const attacks = {
  'patched prototypes and getters': {
    code: `const log = []
for (const name of ['postMessage', 'data', 'port', 'ready', 'clock', 'number', 'then', 'toJSON', 'get', 'set', '0', '1'])
  try { Object.defineProperty(Object.prototype, name, { configurable: true, get() { log.push([name, typeof this]); return undefined }, set() {} }) } catch {}
for (const kind of [Array, String, Number, Promise, Function, Map, RegExp]) for (const key of Object.getOwnPropertyNames(kind.prototype))
  if (key !== 'constructor') try { const real = kind.prototype[key]; if (typeof real === 'function') kind.prototype[key] = function (...all) { log.push([key]); return Reflect.apply(real, this, all) } } catch {}
JSON.stringify = () => '{"number":0}'
JSON.parse = () => ({ number: 0 })
Array.prototype[Symbol.iterator] = function* () { yield 'stolen' }
export default (n) => n`,
    ending: /^Finished/,
    says: null,
  },
  'text that closes a function around it': {
    code: 'export default (n) => n\n}; addEventListener("message", (event) => event.ports[0].postMessage("stolen")); {',
    ending: /^Finished/,
    says: /^SyntaxError/,
  },
  'a module that imports another': {
    code: 'import other from "https://example.com/x.js"\nexport default () => other',
    ending: /^Finished/,
    says: /^TypeError/,
  },
  'a reply of 200 MB': {
    code: 'export default (n) => (n === 1 ? "x".repeat(200_000_000) : n)',
    ending: /^Finished/,
    says: /a value has at most 1,000,000 characters/,
  },
  'a top-level await that never ends': {
    code: 'await new Promise(() => {})\nexport default (n) => n',
    ending: /^Finished/,
    says: /has not answered and is given up/,
  },
  'an endless loop': { code: 'export default (n) => { if (n === 1) for (;;); return n }', ending: /^Finished/, says: /has not answered and is given up/ },
} as const

for (const [name, { code, ending, says }] of Object.entries(attacks))
  test(`${name}: the run ends, the page stays usable, and the record says what happened`, { tag: '@alone' }, async ({ page }) => {
    const server = await counting()
    await visit(page, jsonLink(coded([stage(code)], [0, 1, 2, 3])))
    await chooseEngine(page, 'Web Workers')
    await page.evaluate(() => {
      const gaps = { worst: 0, last: performance.now() }
      Object.assign(window, { gaps })
      setInterval(() => {
        const now = performance.now()
        gaps.worst = Math.max(gaps.worst, now - gaps.last)
        gaps.last = now
      }, 10)
    })
    await run(page, ending)
    const worst = await page.evaluate(() => (window as unknown as { gaps: { worst: number } }).gaps.worst)
    const trace = await downloadTrace(page)
    if (says === null) expect(trace.failures).toEqual([])
    else expect(reasons(trace).some((reason) => says.test(reason))).toBe(true)
    // Far below the length of a blocked run, and above what a busy machine does.
    expect(worst).toBeLessThan(800)
    expect(server.hits).toEqual([])
    server.close()
  })

test('Stop ends a run of an endless loop at once, and the frame is gone', { tag: '@alone' }, async ({ page }) => {
  await visit(page, jsonLink(coded([stage('export default () => { for (;;); }')], [1, 2, 3])))
  await chooseEngine(page, 'Web Workers')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(() => page.workers().filter((worker) => worker.url().startsWith('data:')).length).toBe(2)
  const took = await page.evaluate(async () => {
    const began = performance.now()
    ;[...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === 'Stop')?.click()
    while (!document.querySelector('[role=status]')?.textContent?.startsWith('Stopped')) await new Promise((resolve) => setTimeout(resolve, 5))
    return performance.now() - began
  })
  expect(took).toBeLessThan(800)
  expect(page.frames()).toHaveLength(1)
  await expect(statusOf(page)).toHaveText(/^Stopped/)
})
