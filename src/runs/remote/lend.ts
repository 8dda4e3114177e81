import { expose, type ProxyMarked, proxy, type TransferHandler, transferHandlers } from 'comlink'

/** Our ends of what threads may call here. */
const ends = new WeakMap<object, MessagePort>()

/**
 * A proxy of comlink that is closed on our side when the signal says so. Comlink's own stay open until the thread lets go of them: one that
 * is ended before it has heard of them never does, and the browser keeps the port with all that its listener knows.
 */
export function lend<Api extends object>(api: Api, until: AbortSignal): Api & ProxyMarked {
  const handler = transferHandlers.get('proxy') as TransferHandler<object, MessagePort>
  transferHandlers.set('proxy', { ...handler, serialize })
  until.addEventListener('abort', () => ends.get(api)?.close())
  return proxy(api)
}

/** As comlink's own, but for our end, which is remembered. */
function serialize(api: object): [MessagePort, Transferable[]] {
  const { port1, port2 } = new MessageChannel()
  ends.set(api, port1)
  expose(api, port1)
  return [port2, [port2]]
}
