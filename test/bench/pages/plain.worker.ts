import type { Batch } from '../../../src/engine/conductor/batchPort.ts'
import { createLabour } from '../../../src/engine/threads/workerApi.ts'

// What somebody would write who needed no library.
const labour = createLabour()
self.onmessage = async ({ data }: MessageEvent<Batch>) => self.postMessage(await labour.work(data))
