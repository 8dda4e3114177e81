import { t } from '../../../language/translate.ts'
import type { StageThreads } from '../../../runs/remote/remoteRun.ts'
import { threadText } from './prelude.ts'

/** A frame starts its first thread in some 50 ms. A browser that needs ten seconds starts none. Ticks, because a busy page is late itself. */
const TICK_MILLISECONDS = 100
const MAX_TICKS = 100
/** Without a network the service worker has the document, but Chromium does not ask it for a frame that is sandboxed by its element. */
const TICKS_UNTIL_SECOND = 5

/** The version of `public/stage.html`, so that hosts and browsers may keep it for ever. */
const STAGE_PAGE = 'stage.html?1'

/**
 * Opens threads that run the code of stages in a frame without an origin. If the conductor says that the frame is gone, the next threads start in a new
 * one. Rejects with an Error, in words for users, if the browser starts no thread there.
 */
export async function openStageFrame(address = STAGE_PAGE): Promise<StageThreads> {
  let shown = Promise.resolve(await openFrame(address))
  let closed = false
  const remove = () =>
    shown.then(
      (frame) => frame.remove(),
      () => {},
    )
  const connect = async (control: MessagePort) => {
    const frame = await shown
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => control.postMessage(data)
    frame.contentWindow?.postMessage({ thread: threadText }, '*', [port2])
    return port1
  }
  /** Passes what the conductor says on to the frame. */
  const lead = (control: MessagePort) => {
    const inside = connect(control).catch(({ message }: Error) => message)
    control.onmessage = async ({ data, ports }) => {
      if ('gone' in data) {
        if (closed) return
        void remove()
        shown = openFrame(address)
        return lead(control)
      }
      const port = await inside
      if (typeof port !== 'string') port.postMessage(data, [...ports])
      else if ('start' in data) control.postMessage({ thread: data.start, words: port })
    }
  }
  return {
    port() {
      const { port1, port2 } = new MessageChannel()
      lead(port2)
      return port1
    },
    close() {
      closed = true
      void remove()
    },
  }
}

/** Shows a frame without an origin, which is served with a policy of its own. Nothing of the code runs in the frame itself. */
function openFrame(address: string): Promise<HTMLIFrameElement> {
  const frames: HTMLIFrameElement[] = []
  return new Promise((resolve, reject) => {
    let ticks = 0
    const settle = (chosen: HTMLIFrameElement | null) => {
      clearInterval(timer)
      // The policy of the document may be known only after the first frame has answered. Then no second frame is shown.
      ticks = MAX_TICKS
      removeEventListener('message', heard)
      for (const frame of frames) if (frame !== chosen) frame.remove()
    }
    const timer = setInterval(() => {
      ticks++
      if (ticks === TICKS_UNTIL_SECOND)
        void isSandboxed(address).then(
          (sandboxed) => sandboxed && ticks < MAX_TICKS && frames.push(show(address, false)),
        )
      if (ticks < MAX_TICKS) return
      settle(null)
      reject(
        new Error(
          t(
            'This browser starts no threads for the code of stages. Use another browser, or the simulation, which takes the declared service times.',
          ),
        ),
      )
    }, TICK_MILLISECONDS)
    const heard = ({ source, data }: MessageEvent) => {
      const chosen = frames.find((frame) => frame.contentWindow === source)
      if (chosen === undefined || data !== 'apportion-stage') return
      settle(chosen)
      resolve(chosen)
    }
    addEventListener('message', heard)
    frames.push(show(address, true))
  })
}

/** Shows the document. Its own script starts nothing unless it is without an origin, by this element or by the policy that it is served with. */
function show(address: string, sandboxed: boolean): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  if (sandboxed) frame.setAttribute('sandbox', 'allow-scripts')
  frame.title = t('Threads for the code of stages')
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  // Not hidden: browsers slow the threads of hidden frames down.
  Object.assign(frame.style, {
    position: 'fixed',
    bottom: '0',
    left: '0',
    width: '1px',
    height: '1px',
    border: '0',
    opacity: '0',
    pointerEvents: 'none',
  })
  frame.src = address
  document.body.append(frame)
  return frame
}

/** Returns whether the document is served with a policy that takes its origin away. */
async function isSandboxed(address: string): Promise<boolean> {
  const answer = await fetch(address).catch(() => null)
  return answer?.headers.get('Content-Security-Policy')?.startsWith('sandbox allow-scripts;') ?? false
}
