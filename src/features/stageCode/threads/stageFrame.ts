import { t } from '../../../language/translate.ts'
import type { StageThreads } from '../../../runs/remote/remoteRun.ts'
import { threadText } from './prelude.ts'

/** A frame starts its first thread in some 50 ms. A browser that needs longer than this starts none. */
const START_MILLISECONDS = 2000

/** The version of `public/stage.html`, so that hosts and browsers may keep it for ever. */
export const STAGE_PAGE = 'stage.html?1'

/**
 * Opens a frame without an origin in which threads run the code of stages. It is served with a policy of its own, and nothing of the code runs in the frame
 * itself. Rejects with an Error for users if the browser starts no thread there.
 */
export function openStageFrame(document = globalThis.document): Promise<StageThreads> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.title = t('Threads for the code of stages')
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  // Not hidden: browsers slow the threads of hidden frames down.
  Object.assign(frame.style, { position: 'fixed', bottom: '0', left: '0', width: '1px', height: '1px', border: '0', opacity: '0', pointerEvents: 'none' })
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer)
      removeEventListener('message', heard)
    }
    const timer = setTimeout(() => {
      settle()
      frame.remove()
      reject(
        new Error(
          t(
            'This browser starts no threads for the code of stages: the file stage.html may be missing, or an extension may stop it. Use another browser, or the simulation, which takes the declared service times.',
          ),
        ),
      )
    }, START_MILLISECONDS)
    const heard = ({ source, data }: MessageEvent) => {
      if (source !== frame.contentWindow || data !== 'apportion-stage') return
      settle()
      resolve({
        port() {
          const { port1, port2 } = new MessageChannel()
          frame.contentWindow?.postMessage({ thread: threadText }, '*', [port2])
          return port1
        },
        close: () => frame.remove(),
      })
    }
    addEventListener('message', heard)
    frame.src = STAGE_PAGE
    document.body.append(frame)
  })
}
