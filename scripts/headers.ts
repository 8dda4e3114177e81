import type { Plugin } from 'vite'

const playsRuns = /\/assets\/(simulation|conductor)[.-][^/]*\.js(\?|$)/

/**
 * Sends the headers of the preview with every answer, as a host does: Vite leaves them out where it answers "not modified", and
 * WebKit, which goes by that answer, then refuses the script of a worker as one that may not be embedded. The scripts of threads that play
 * runs come with a security policy of their own.
 */
export function headersAlways(sandboxSecurityPolicy: string): Plugin {
  return {
    name: 'apportion-headers',
    configurePreviewServer({ middlewares, config }) {
      middlewares.use(({ url = '' }, response, next) => {
        for (const [name, value] of Object.entries(config.preview.headers)) if (value !== undefined) response.setHeader(name, value)
        if (playsRuns.test(url)) response.setHeader('Content-Security-Policy', sandboxSecurityPolicy)
        next()
      })
    },
  }
}
