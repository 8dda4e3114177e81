import { expose } from 'comlink'
import { createLabour } from '../../../src/engine/threads/labour.ts'

// A worker that throws outside its work, and works on.
const labour = createLabour()
expose({
  ...labour,
  work(batch: Parameters<typeof labour.work>[0]) {
    setTimeout(() => {
      throw new Error('oops')
    })
    return labour.work(batch)
  },
})
