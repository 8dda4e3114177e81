import { expose } from 'comlink'
import { createLabour } from '../../../src/engine/threads/labour.ts'

// A worker that closes itself in the middle of its second batch.
const labour = createLabour()
let batches = 0
expose({
  ...labour,
  work(batch: Parameters<typeof labour.work>[0]) {
    if (++batches < 2) return labour.work(batch)
    close()
    return new Promise(() => {})
  },
})
