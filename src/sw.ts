/**
 * Caches the files of each version, so that the page works without a network, and a page of an older version still finds files that it has
 * not loaded yet. The build puts the version and the list of files in front of this script (scripts/precache.ts).
 */
declare const __VERSION__: string
declare const __FILES__: readonly string[]

const worker = self as unknown as ServiceWorkerGlobalScope
const PREFIX = 'apportion-'
const current = `${PREFIX}${__VERSION__}`
const scope = worker.registration.scope

worker.addEventListener('install', (event) => event.waitUntil(cacheAll()))
worker.addEventListener('activate', (event) => event.waitUntil(deleteOldCaches().then(() => worker.clients.claim())))
worker.addEventListener('message', (event) => {
  // The person has agreed. Otherwise the new version waits until all pages of the old one are closed.
  if (event.data === 'take over') void worker.skipWaiting()
  if (event.data === 'tidy') event.waitUntil(deleteOldCaches())
})
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  // The fragment and the query do not matter here.
  if (pathname === new URL('stage.html', scope).pathname)
    return event.respondWith(answer(request, new URL('stage.html', scope).href))
  const page = pathname === new URL(scope).pathname || pathname === new URL('index.html', scope).pathname
  if (request.mode === 'navigate' ? page : request.destination !== 'document')
    event.respondWith(answer(request, request.mode === 'navigate' ? scope : request))
})

/** Caches all files of this version, or none: if one is missing, the version before stays. */
async function cacheAll(): Promise<void> {
  const cache = await caches.open(current)
  try {
    // One after the other, so that requests of the page come between.
    for (const file of __FILES__) await cache.put(new URL(file, scope), await fetched(file))
  } catch (error) {
    await caches.delete(current)
    throw error
  }
}

/** Returns a file, from another version's cache if its name tells its content. */
async function fetched(file: string): Promise<Response> {
  const address = new URL(file, scope)
  const named = file.startsWith('assets/')
  const cached = named ? await caches.match(address) : undefined
  if (cached !== undefined) return cached
  const response = await fetch(address, { cache: named ? 'default' : 'no-cache' })
  if (!response.ok || response.redirected) throw new Error(`${file}: ${response.status}`)
  return response
}

async function answer(request: Request, key: Request | string): Promise<Response> {
  const cache = await caches.open(current)
  return (await cache.match(key)) ?? (await caches.match(key)) ?? fetch(request)
}

/** Deletes the caches of versions that no open page uses. Each page holds a lock named after its own script. */
async function deleteOldCaches(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== current)
  const { installing, waiting } = worker.registration
  // One of the other caches may belong to the next version.
  if (installing !== null || waiting !== null) return
  const { held = [] } = await navigator.locks.query()
  const scripts = held.map(({ name = '' }) => name).filter((name) => name.startsWith(scope))
  for (const name of others) {
    const cache = await caches.open(name)
    const used = await Promise.all(scripts.map((script) => cache.match(script)))
    if (used.every((script) => script === undefined)) await caches.delete(name)
  }
}
