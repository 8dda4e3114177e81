import type { Plugin } from 'vite'

const stagePage = /\/stage\.html(\?|$)/
const playsRuns = /\/assets\/(simulation|conductor)[.-][^/]*\.js(\?|$)/

/**
 * Sends the headers of the preview with every answer, as a host does. Vite omits them in "not modified" answers, and
 * WebKit, which uses these, then refuses the script of a worker because it may not be embedded. The security policy is
 * sent here too, because threads that play runs and the document of the code of stages have different ones.
 */
export function headersAlways(securityPolicy: string, ofThreads: string, ofStage: string): Plugin {
  return {
    name: 'apportion-headers',
    configurePreviewServer({ middlewares, config }) {
      middlewares.use(({ url = '' }, response, next) => {
        for (const [name, value] of Object.entries(config.preview.headers))
          if (value !== undefined) response.setHeader(name, value)
        response.setHeader(
          'Content-Security-Policy',
          stagePage.test(url) ? ofStage : playsRuns.test(url) ? ofThreads : securityPolicy,
        )
        next()
      })
    },
    configureServer({ middlewares }) {
      middlewares.use(({ url = '' }, response, next) => {
        if (stagePage.test(url)) response.setHeader('Content-Security-Policy', ofStage)
        next()
      })
    },
  }
}
