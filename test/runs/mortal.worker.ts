import { expose } from 'comlink'
import { liveness } from '../../src/engine/threads/liveness.ts'

// A thread that closes itself on request, without an answer.
expose({
  ...liveness,
  die() {
    close()
    return new Promise(() => {})
  },
})
