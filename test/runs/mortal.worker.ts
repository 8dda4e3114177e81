import { expose } from 'comlink'
import { liveness } from '../../src/engine/threads/liveness.ts'

// A thread that closes itself when it is asked to, and answers nothing then.
expose({
  ...liveness,
  die() {
    close()
    return new Promise(() => {})
  },
})
