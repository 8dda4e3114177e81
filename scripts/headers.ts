import type { Plugin } from 'vite'

const playsRuns = /\/assets\/(simulation|conductor)[.-][^/]*\.js(\?|$)/

/**
 * Sends the headers of the preview with every answer, as a host does. Vite omits them in "not modified" answers, and
 * WebKit, which uses these, then refuses the script of a worker because it may not be embedded. The security policy is
 * sent here too, because threads that play runs have a different one.
 */
export function headersAlways(securityPolicy: string, ofThreads: string): Plugin {
  return {
    name: 'apportion-headers',
    configurePreviewServer({ middlewares, config }) {
      middlewares.use(({ url = '' }, response, next) => {
        for (const [name, value] of Object.entries(config.preview.headers)) if (value !== undefined) response.setHeader(name, value)
        response.setHeader('Content-Security-Policy', playsRuns.test(url) ? ofThreads : securityPolicy)
        next()
      })
    },
  }
}
