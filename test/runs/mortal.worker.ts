import { expose } from 'comlink'
import { living } from '../../src/engine/threads/liveness.ts'

// A thread that closes itself when it is asked to, and answers nothing then.
expose({
  ...living,
  die() {
    close()
    return new Promise(() => {})
  },
})
