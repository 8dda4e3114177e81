import type { BatchOrder } from '../../../src/engine/conductor/batchPort.ts'
import { createWorkerApi } from '../../../src/engine/threads/workerApi.ts'

// The simplest worker without a library. It answers where it is asked: here, or by a port that it is given.
const workerApi = createWorkerApi()
const answerTo = (port: Pick<MessagePort, 'postMessage'>) => async (event: MessageEvent<BatchOrder | null>) => {
  if (event.data !== null) port.postMessage(await workerApi.work(event.data))
  for (const given of event.ports) given.onmessage = answerTo(given)
}
self.onmessage = answerTo(self)
