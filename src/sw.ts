/**
 * Keeps the files of a version together, so that the page works without a network, and a page that was opened with an older version
 * still finds the files it has not fetched yet. The build puts the version and the files in front (scripts/precache.ts).
 */
declare const __VERSION__: string
declare const __FILES__: readonly string[]

const worker = self as unknown as ServiceWorkerGlobalScope
const MARK = 'apportion-'
const present = `${MARK}${__VERSION__}`
const scope = worker.registration.scope

worker.addEventListener('install', (event) => event.waitUntil(fill()))
worker.addEventListener('activate', (event) => event.waitUntil(tidy().then(() => worker.clients.claim())))
worker.addEventListener('message', (event) => {
  // The person has agreed; else the new version waits until all pages of the old one are closed.
  if (event.data === 'take over') void worker.skipWaiting()
  if (event.data === 'tidy') event.waitUntil(tidy())
})
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  // Fragment and search are the page's own business.
  const page = pathname === new URL(scope).pathname || pathname === new URL('index.html', scope).pathname
  if (request.mode === 'navigate' ? page : request.destination !== 'document') event.respondWith(answer(request, request.mode === 'navigate' ? scope : request))
})

/** All files of this version or none: where one is missing the version before goes on. */
async function fill(): Promise<void> {
  const cache = await caches.open(present)
  try {
    // One after the other: whatever the page itself wants comes between.
    for (const file of __FILES__) await cache.put(new URL(file, scope), await fetched(file))
  } catch (error) {
    await caches.delete(present)
    throw error
  }
}

/** What is named by its content need not be fetched again. */
async function fetched(file: string): Promise<Response> {
  const address = new URL(file, scope)
  const named = file.startsWith('assets/')
  const kept = named ? await caches.match(address) : undefined
  if (kept !== undefined) return kept
  const response = await fetch(address, { cache: named ? 'default' : 'no-cache' })
  if (!response.ok || response.redirected) throw new Error(`${file}: ${response.status}`)
  return response
}

async function answer(request: Request, key: Request | string): Promise<Response> {
  const cache = await caches.open(present)
  return (await cache.match(key)) ?? (await caches.match(key)) ?? fetch(request)
}

/** Files of other versions go when no page is open that began with them: each holds a lock by the name of its own script. */
async function tidy(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(MARK) && name !== present)
  const { installing, waiting } = worker.registration
  // One of them is of the version that comes next.
  if (installing !== null || waiting !== null) return
  const { held = [] } = await navigator.locks.query()
  const scripts = held.map(({ name = '' }) => name).filter((name) => name.startsWith(scope))
  for (const name of others) {
    const cache = await caches.open(name)
    const used = await Promise.all(scripts.map((script) => cache.match(script)))
    if (used.every((script) => script === undefined)) await caches.delete(name)
  }
}
