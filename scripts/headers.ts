import type { Plugin } from 'vite'

/**
 * Sends the headers of the preview with every answer, as a host does: Vite leaves them out where it answers "not modified", and
 * WebKit, which goes by that answer, then refuses the script of a worker as one that may not be embedded.
 */
export function headersAlways(): Plugin {
  return {
    name: 'apportion-headers',
    configurePreviewServer({ middlewares, config }) {
      middlewares.use((_, response, next) => {
        for (const [name, value] of Object.entries(config.preview.headers)) if (value !== undefined) response.setHeader(name, value)
        next()
      })
    },
  }
}
