// What the threads of piscina load.
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { buffersOf, carry } from './work.mjs'

export default function serve({ name, values, from, to, run }) {
  const results = carry(name, values, from, to, run)
  const buffers = buffersOf(results)
  return buffers.length === 0 ? results : move({ [transferableSymbol]: buffers, [valueSymbol]: results })
}
