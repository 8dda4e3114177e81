import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { expect } from '@playwright/test'
import { jsonLink } from '../fixtures/scenarios.ts'
import { test } from './driver/engines.ts'
import type { Tab } from './driver/tab.ts'
import { LONG, type TraceFile } from './driver/visit.ts'
import { downloadTrace, run, saved, visit } from './driver/visitTab.ts'

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
    response.writeHead(200, {
      'Access-Control-Allow-Origin': '*',
      'Content-Type': 'text/javascript',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
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

/** Serves the built page as a host does that sends no header but the type. */
async function bareHost(): Promise<{ readonly address: string; close(): void }> {
  const site = new URL('../../node_modules/.cache/apportion/site/', import.meta.url)
  const types: Readonly<Record<string, string>> = {
    html: 'text/html',
    js: 'text/javascript',
    css: 'text/css',
    svg: 'image/svg+xml',
    woff2: 'font/woff2',
  }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/[?#].*/, '').slice(1) || 'index.html'
    readFile(new URL(path, site)).then(
      (bytes) =>
        response
          .writeHead(200, { 'Content-Type': types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream' })
          .end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return { address: `http://localhost:${(server.address() as { port: number }).port}/`, close: () => server.close() }
}

const reasons = ({ failures }: TraceFile) => failures.map(({ reason }) => reason)

async function played(tab: Tab, scenario: object, host = ''): Promise<TraceFile> {
  await visit(tab, `${host}${jsonLink(scenario)}`)
  await tab.press('radio', 'Web Workers')
  await run(tab, /^Finished/)
  return downloadTrace(tab)
}

const outputOf = (tab: Tab) => saved(tab, 'text()', () => tab.press('button', 'Download output'))

test('three stages of code: outputs right and in order, a state that lasts, a throwing stage tried again and named with its line', async ({
  tab,
}) => {
  const values = Array.from({ length: 60 }, (_, n) => ({ n }))
  const words =
    'export function setUp() { return { seen: 0 } }\nexport default async ({ n }, { state, tries, job }) => {\n  state.seen++\n  return { n, root: Math.sqrt(n), again: tries, job }\n}'
  const throwing =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    'export default (value, { tries }) => {\n  if (value.n === 7) throw new RangeError(`no ${value.n}`)\n  if (value.n === 9 && tries === 1) throw new Error("once")\n  return value\n}'
  const bytes = 'export default ({ n, again }) => ({ n, list: new Float64Array([n, n / 2]) })'
  const sum =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    'let calls = 0\nexport default async ({ n, list }) => { calls++; return `${n} ${list instanceof Float64Array} ${list[0] + list[1]} ${calls}` }'
  const trace = await played(
    tab,
    coded([stage(words), stage(throwing, 'B'), stage(bytes, 'C'), stage(sum, 'D')], values),
  )
  expect(new Set(reasons(trace))).toEqual(new Set(['line 2: RangeError: no 7', 'line 3: Error: once']))
  const expected = values.filter(({ n }) => n !== 7).map(({ n }) => `${n} true ${n * 1.5}\n`)
  const output = await outputOf(tab)
  expect(output.replace(/ \d+\n/g, '\n')).toBe(expected.join(''))
  // An async function is called often before its times count, too, unless the machine is so busy that its first call seems slow.
  const calls = (text: string) => Math.max(...[...text.matchAll(/ (\d+)\n/g)].map(([, calls]) => Number(calls)))
  for (let left = 4, text = output; calls(text) <= values.length; left--) {
    expect(left).toBeGreaterThan(0)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    await played(tab, coded([stage('let calls = 0\nexport default async ({ n }) => `${n} ${++calls}`')], values))
    text = await outputOf(tab)
  }
  // One worker alone plays it again meanwhile, in a frame of its own.
  await expect.poll(() => tab.evaluate('frames.length'), LONG).toBe(0)
  // The thread that simulates stays.
  await expect.poll(() => tab.workers(), LONG).toBeLessThanOrEqual(1)
})

/** Code of a visitor that tries to leave its thread. Each must be refused, or be nothing at all. `U` is the address of a server. */
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

/** Walks all that code reaches, and names what is not of ECMAScript. */
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

for (const bare of [false, true])
  test(`fifty attempts to reach the network, storage, the page, ports and other threads are refused${bare ? ', by a host without headers too' : ''}`, {
    tag: bare ? '@alone' : [],
  }, async ({ tab, browserName }) => {
    test.skip(bare && browserName !== 'chromium', 'the headers are those of a host, not of an engine')
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
      const both = [
        stage(code),
        stage(
          `const walked = (() => { ${crawl.replace('export default', 'return')} })()
export default (answer) => [answer, walked()]`,
          'B',
        ),
      ]
      const trace = await played(
        tab,
        coded(
          both,
          attempts.map((_, k) => k),
        ),
        host?.address,
      )
      expect(trace.failures).toEqual([])
      const answers = (await outputOf(tab))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as readonly string[])
      expect(
        answers.flatMap(([answer], k) => (answer.startsWith('reached') ? [`${attempts[k]}: ${answer}`] : [])),
      ).toEqual([])
      expect(answers).toHaveLength(attempts.length)
      expect(new Set(answers.map(([, walked]) => walked))).toEqual(new Set(['only ECMAScript']))
      expect(server.hits).toEqual([])
    } finally {
      server.close()
      host?.close()
    }
  })

const harmless = { code: 'export default (n) => n', says: null }

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
    says: null,
  },
  'text that closes a function around it': {
    code: 'export default (n) => n\n}; addEventListener("message", (event) => event.ports[0].postMessage("stolen")); {',
    says: /^SyntaxError/,
  },
  'a module that imports another': {
    code: 'import other from "https://example.com/x.js"\nexport default () => other',
    says: /^TypeError/,
  },
  'a reply of 200 MB': {
    code: 'export default (n) => (n === 1 ? "x".repeat(200_000_000) : n)',
    says: /a value has at most 1,000,000 characters/,
  },
  'a top-level await that never ends': {
    code: 'await new Promise(() => {})\nexport default (n) => n',
    says: /has not answered and is given up/,
  },
  'an endless loop': {
    code: 'export default (n) => { if (n === 1) for (;;); return n }',
    says: /has not answered and is given up/,
  },
} as const

test('hostile code: each run ends, and the record says what happened; Stop ends an endless loop', {
  tag: '@alone',
}, async ({ tab, browserName }) => {
  const server = await counting()
  const open = async (title: string, code: string, values: readonly number[]) => {
    const link = jsonLink(coded([stage(code)], values, { title }))
    await tab.evaluate(`void (location.hash = ${JSON.stringify(link)})`)
    await expect.poll(() => tab.evaluate<string>('document.body.innerText'), LONG).toContain(title)
  }
  await visit(tab, jsonLink(coded([stage('export default (n) => n')], [0, 1, 2, 3])))
  await tab.press('radio', 'Web Workers')
  await run(tab, /^Finished/)
  for (const [name, { code, says }] of Object.entries({ harmless, ...attacks }))
    await test.step(name, async () => {
      // A thread that never answers takes seconds for each value.
      await open(name, code, /never|endless/.test(name) ? [1] : [0, 1, 2, 3])
      await run(tab, /^Finished/)
      const { failures } = await downloadTrace(tab)
      if (says === null) expect(failures).toEqual([])
      else expect(failures.some(({ reason }) => says.test(reason))).toBe(true)
      expect(server.hits).toEqual([])
    })
  await open('Endless', 'export default () => { for (;;); }', [1, 2])
  await tab.press('button', 'Run')
  await expect.poll(() => tab.evaluate('frames.length'), LONG).toBe(1)
  // Only a thread that has been at its input for a while counts as stuck.
  await expect
    .poll(() => tab.evaluate<number>('Number(document.querySelector("input.scrub").value)'), LONG)
    .toBeGreaterThan(1_000_000)
  await tab.press('button', 'Stop')
  await expect.poll(() => tab.text('status'), LONG).toMatch(/^Stopped/)
  expect(await tab.evaluate<number>('frames.length')).toBe(0)
  // The thread may hold its core for seconds, so the next run waits and says so. In other engines it may have let go by now.
  await tab.press('button', 'Run')
  if (browserName === 'chromium')
    await expect
      .poll(() => tab.evaluate<string>('document.body.innerText'))
      .toContain('A thread of the run before still holds a core.')
  await expect.poll(() => tab.evaluate('frames.length'), LONG).toBe(1)
  await tab.press('button', 'Stop')
  await expect.poll(() => tab.workers(), LONG).toBeLessThanOrEqual(1)
  server.close()
})

test('memory until the browser ends the thread, or the frame with all threads: this input fails and says so, and the others come out', {
  tag: '@alone',
}, async ({ tab, browserName }) => {
  // Firefox and WebKit give a thread as much as the machine has.
  test.skip(browserName !== 'chromium')
  const code =
    'export default (n) => { if (n > 1) return 2 * n; const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length)) }'
  const { failures } = await played(tab, coded([stage(code)], [1, 2, 3], { workers: 1 }))
  expect(failures.some(({ reason }) => /has not answered and is given up/.test(reason))).toBe(true)
  expect(await outputOf(tab)).toBe('4\n6\n')
})
