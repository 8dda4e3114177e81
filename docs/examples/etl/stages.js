// What each thread loads. An input is a chunk of lines: one line alone would cost less than the message that carries it.
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { serve, transfer } from 'apportion/worker'

serve({
  /** Keeps the orders that are sound, and counts the other lines. */
  parse(lines) {
    const orders = []
    let rejected = 0
    for (const line of lines) {
      try {
        const { id, country, cents } = JSON.parse(line)
        if (!Number.isSafeInteger(cents) || cents < 0) throw new RangeError('no amount')
        orders.push({ id, country, cents })
      } catch {
        rejected++
      }
    }
    return { orders, rejected }
  },

  /** A table that a worker reads when it comes to `enrich`, and has in hand until it leaves. */
  rates: () =>
    new Map([
      ['DE', 0.19],
      ['FR', 0.2],
      ['IT', 0.22],
    ]),

  /** Adds the tax. The rates of other countries come from a service that now and then fails: `tries` calls it again. */
  async enrich({ orders, rejected }, { setUp: rates, tries, job }) {
    if (tries === 1 && job % 10 === 3) throw new Error('the service of rates does not answer')
    for (const country of new Set(orders.map((order) => order.country)))
      if (!rates.has(country)) {
        await pause(5)
        rates.set(country, 0.21)
      }
    return {
      rejected,
      orders: orders.map((order) => ({ ...order, tax: Math.round(order.cents * rates.get(order.country)) })),
    }
  },

  total({ orders, rejected }) {
    const cents = orders.reduce((sum, { cents, tax }) => sum + cents + tax, 0)
    return {
      text: orders.map(({ id, country, cents, tax }) => `${id},${country},${cents},${tax}\n`).join(''),
      rows: orders.length,
      rejected,
      cents,
    }
  },

  /** Gzip files one behind the other are one gzip file. The bytes are moved to the main thread, not copied. */
  compress({ text, ...sums }) {
    const bytes = new Uint8Array(gzipSync(text))
    return transfer({ bytes, ...sums }, [bytes.buffer])
  },
})
