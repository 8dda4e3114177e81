/**
 * The text of every thread that runs the code of stages: a classic script, the same for all. Its first message brings the port to the conductor
 * and the code. Before the code is imported, all names but those of ECMAScript are deleted, so it reaches neither network nor port.
 *
 * Code may patch every built-in afterwards. So what is needed is kept here first, only own fields are read, and replies are put together from
 * primitive values alone: no array, no spread and no method is used that the code could have replaced.
 */
export const threadText = `'use strict';
(() => {
const scope = self, Names = Object, { getPrototypeOf, getOwnPropertyDescriptor, hasOwn, keys } = Object, { ownKeys, apply } = Reflect
const { stringify, parse } = JSON, Text = String, { round, imul, floor } = Math, { isArray } = Array, { isView } = ArrayBuffer
const { indexOf, slice } = String.prototype, bind = (f, to) => Function.prototype.bind.call(f, to)
const now = bind(performance.now, performance), { timeOrigin } = performance, later = bind(setTimeout, scope), Later = Promise
const dataOf = getOwnPropertyDescriptor(MessageEvent.prototype, 'data').get
const Whole = Uint8Array, lengthOfBytes = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), 'byteLength').get
const bufferOf = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), 'buffer').get, { set } = getPrototypeOf(Uint8Array.prototype)
const offsetOf = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), 'byteOffset').get
const lengthOf = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), 'length').get
const tagOf = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get
const kinds = { __proto__: null }
for (const Kind of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array])
  kinds[Kind.name] = { __proto__: null, Kind, size: Kind.BYTES_PER_ELEMENT }
const MOST = 1000000, MARK = '\\u0000', Wrong = TypeError
const stays = { __proto__: null }
for (const name of ('globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape ' +
  'AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date DisposableStack Error EvalError FinalizationRegistry ' +
  'Float16Array Float32Array Float64Array Function Int8Array Int16Array Int32Array Intl Iterator JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect ' +
  'RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError Temporal TypeError Uint8Array Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap WeakRef WeakSet').split(' ')) stays[name] = true

/** Deletes all names but those of ECMAScript. Returns the first one that cannot be deleted. */
const strip = () => {
  for (let object = scope; object !== null && object !== Names.prototype; object = getPrototypeOf(object)) {
    for (const name of ownKeys(object)) {
      if (object === scope && typeof name === 'string' && stays[name]) continue
      try { delete object[name] } catch {}
      if (hasOwn(object, name)) try { object[name] = undefined } catch {}
      const left = getOwnPropertyDescriptor(object, name)
      // A number or a text that stays leads nowhere.
      if (left !== undefined && (typeof left.value === 'object' || typeof left.value === 'function' || left.get !== undefined)) return Text(name)
    }
  }
  return ''
}

/** Copied at once: the code may use the same array for the next job. */
const copyOf = (buffer, from, length) => {
  const copy = new Whole(length)
  apply(set, copy, [new Whole(buffer, from, length)])
  return copy
}
/** Returns whether there is a typed array in a value. */
const holdsBytes = (value, depth) => {
  if (typeof value !== 'object' || value === null) return false
  if (isView(value)) return true
  if (depth > 20) return false
  if (isArray(value)) {
    for (let k = 0; k < value.length; k++) if (typeof value[k] === 'object' && holdsBytes(value[k], depth + 1)) return true
    return false
  }
  const names = keys(value)
  for (let k = 0; k < names.length; k++) if (typeof value[names[k]] === 'object' && holdsBytes(value[names[k]], depth + 1)) return true
  return false
}
/** The typed arrays of the batch: a list of what was taken, and their bytes together. */
let taken = null, takenBytes = 0
/** Returns the text of a value with typed arrays: each stands as {"\\0": [kind, first byte, length]}. */
const textWithBytes = (value, from) => {
  if (typeof value !== 'object' || value === null) return stringify(value)
  if (isView(value)) {
    const kind = apply(tagOf, value, [])
    if (kind === undefined || !kinds[kind]) throw new Wrong('a value may hold typed arrays, and no other views of bytes')
    const bytes = apply(lengthOfBytes, value, [])
    if (takenBytes - from + bytes > MOST) throw new Wrong('a value has at most 1,000,000 bytes')
    const text = '{"\\\\u0000":["' + kind + '",' + (takenBytes - from) + ',' + apply(lengthOf, value, []) + ']}'
    taken = { __proto__: null, bytes: copyOf(apply(bufferOf, value, []), apply(offsetOf, value, []), bytes), at: takenBytes, before: taken }
    takenBytes += bytes
    return text
  }
  if (isArray(value)) {
    let text = ''
    for (let k = 0; k < value.length; k++) text += (k > 0 ? ',' : '') + (textWithBytes(value[k], from) ?? 'null')
    return '[' + text + ']'
  }
  const names = keys(value)
  let text = ''
  for (let k = 0; k < names.length; k++) {
    if (names[k] === MARK) throw new Wrong('this field name is reserved for typed arrays')
    const field = textWithBytes(value[names[k]], from)
    if (field !== undefined) text += (text === '' ? '' : ',') + stringify(names[k]) + ':' + field
  }
  return '{' + text + '}'
}
const textOf = (value) => {
  if (typeof value === 'string' && value.length > MOST) throw new Wrong('a value has at most 1,000,000 characters')
  const text = typeof value === 'object' && value !== null && holdsBytes(value, 0) ? textWithBytes(value, takenBytes) : stringify(value)
  if (typeof text !== 'string') throw new Wrong('the function returned ' + (value === undefined ? 'nothing; it has to return a value, or null' : 'what JSON cannot say'))
  if (text.length > MOST + 2) throw new Wrong('a value has at most 1,000,000 characters')
  return text
}
/** Puts typed arrays back in place of their marks. Values without bytes never come here. */
const revived = (value, buffer, base) => {
  if (typeof value !== 'object' || value === null) return value
  if (hasOwn(value, MARK)) {
    const mark = value[MARK], { Kind, size } = kinds[mark[0]]
    return new Kind(apply(bufferOf, copyOf(buffer, base + mark[1], mark[2] * size), []))
  }
  const names = keys(value)
  for (let k = 0; k < names.length; k++) value[names[k]] = revived(value[names[k]], buffer, base)
  return value
}

const wall = () => round((timeOrigin + now()) * 1000)
/** What was thrown, as JSON: its words, and what stands behind the address of the code in its stack. */
const thrownText = (error, address) => {
  let words = '', place = ''
  try {
    if (typeof error === 'object' && error !== null) {
      const { name, message, stack } = error
      words = (typeof name === 'string' ? name : 'Error') + (typeof message === 'string' && message !== '' ? ': ' + message : '')
      if (typeof stack === 'string') {
        const at = apply(indexOf, stack, [address])
        if (at >= 0) place = apply(slice, stack, [at + address.length, at + address.length + 24])
      }
    } else words = typeof error === 'symbol' ? 'a symbol' : Text(error)
  } catch {}
  return stringify(apply(slice, words, [0, 500])) + ',' + stringify(place)
}

let post, codes, seed, spinAt = Infinity
const stages = { __proto__: null }
/** The stage at which this worker is: it keeps its state while it stays. */
let present = -1, state
const spinIfDue = () => { if (timeOrigin + now() >= spinAt) for (;;); }

/** Each step is a mixer of 32 bits over a counter (Wellons 2018). The seed is that of the job at the stage, whichever worker serves it. */
const mixed = (x) => {
  x = imul(x ^ (x >>> 16), 0x7feb352d)
  x = imul(x ^ (x >>> 15), 0x846ca68b)
  return (x ^ (x >>> 16)) >>> 0
}
const randomOf = (stage, job) => {
  let at = mixed(mixed(mixed(seed | 0) + stage + 1) + job + 1)
  const draw = () => mixed((at = (at + 0x9e3779b9) | 0))
  return () => (draw() * 0x100000 + (draw() >>> 12)) / 0x10000000000000
}
const sleep = (milliseconds) => new Later((resolve) => { later(resolve, +milliseconds) })

const importStage = async (stage) => {
  const address = 'data:text/javascript;charset=utf-8,' + encoded[stage]
  const own = { __proto__: null, address, run: undefined, setUp: undefined, error: '', warm: false }
  stages[stage] = own
  try {
    const names = await import(address)
    own.run = names.default
    own.setUp = names.setUp
    if (typeof own.run !== 'function') own.error = stringify('TypeError: the code exports no function as its default') + ',""'
  } catch (error) {
    own.error = thrownText(error, address)
  }
}
const isPromise = (value) => typeof value === 'object' && value !== null && typeof value.then === 'function'

/**
 * Serves the first job of a worker at a stage. A call that is quick and needs no state is repeated for some milliseconds, since the compiler works
 * in the first ones, and then nothing of it counts: returns null. Otherwise returns the answer of its one call.
 */
const firstCall = async (own, stage, head, message) => {
  own.warm = true
  let touched = false
  const began = wall(), from = now(), job = head.jobs[0]
  const call = () => own.run(inputAt(head, message, 0), { job, worker: head.worker, tries: head.tries[0], random: randomOf(stage, job), sleep, get state() { touched = true; return state } })
  try {
    let answer = call()
    const waits = isPromise(answer)
    if (waits) answer = await answer
    const ready = now()
    if (touched || ready - from >= 5) return { __proto__: null, began, answer, threw: false }
    for (let count = 0; count < 2000 && now() - ready < 8; count++) {
      const again = call()
      if (waits) await again
    }
    return null
  } catch (error) {
    return { __proto__: null, began, answer: error, threw: true }
  }
}
const inputAt = (head, message, k) => {
  const value = parse(message[1 + k])
  return head.bases[k] < 0 ? value : revived(value, message[1 + head.jobs.length], head.bases[k])
}

const serve = async (message) => {
  const head = parse(message[0])
  if (hasOwn(head, 'clock')) return post('{"clock":' + wall() + '}')
  if (hasOwn(head, 'hang')) {
    spinAt = head.hang / 1000
    const left = spinAt - timeOrigin - now()
    if (left < 0x7fffffff) later(spinIfDue, left < 0 ? 0 : left)
    return
  }
  const { number, stage, jobs } = head
  if (stages[stage] === undefined) await importStage(stage)
  const own = stages[stage]
  let values = '', ended = '', thrown = '', setUpTook = 0
  taken = null
  takenBytes = 0
  if (own.error === '' && present !== stage) {
    const from = now()
    present = stage
    state = {}
    try {
      if (typeof own.setUp === 'function') {
        const made = own.setUp({ job: jobs[0], worker: head.worker, tries: head.tries[0], random: randomOf(stage, -1), sleep })
        state = isPromise(made) ? await made : made
      }
    } catch (error) {
      present = -1
      for (let k = 0; k < jobs.length; k++) thrown += (k > 0 ? ',' : '') + '[' + jobs[k] + ',' + thrownText(error, own.address) + ']'
    }
    setUpTook = now() - from
  }
  if (head.costs[0] > 0) for (const until = now() + head.costs[0] / 1000; now() < until;);
  const early = own.error === '' && thrown === '' && !own.warm ? await firstCall(own, stage, head, message) : null
  const began = early === null ? wall() : early.began
  let last = began
  if (thrown === '') for (let k = 0; k < jobs.length; k++) {
    const job = jobs[k]
    if (k > 0 && head.costs[k] > 0) for (const until = now() + head.costs[k] / 1000; now() < until;);
    spinIfDue()
    const from = takenBytes, views = taken
    try {
      if (own.error !== '') { thrown += (thrown === '' ? '' : ',') + '[' + job + ',' + own.error + ']'; continue }
      if (k === 0 && early !== null && early.threw) throw early.answer
      const answer = k === 0 && early !== null ? early.answer : own.run(inputAt(head, message, k), { job, worker: head.worker, tries: head.tries[k], random: randomOf(stage, job), sleep, state })
      const text = textOf(isPromise(answer) ? await answer : answer)
      if (head.failing[k] === 1) throw new Wrong('throws, as the scenario says')
      const time = wall()
      last = time > last ? time : last + 1
      values += (values === '' ? '' : ',') + '[' + stringify(text) + ',' + (takenBytes > from ? from + ',' + (takenBytes - from) : '-1,0') + ']'
      ended += (ended === '' ? '' : ',') + last
    } catch (error) {
      taken = views
      takenBytes = from
      thrown += (thrown === '' ? '' : ',') + '[' + job + ',' + thrownText(error, own.address) + ']'
    }
  }
  const reply = '{"number":' + number + ',"began":' + began + ',"setUp":' + floor(setUpTook * 1000) + ',"ended":[' + ended + '],"values":[' + values + '],"thrown":[' + thrown + ']}'
  if (takenBytes === 0) return post(reply)
  const all = new Whole(takenBytes)
  for (let view = taken; view !== null; view = view.before) apply(set, all, [view.bytes, view.at])
  post([reply, apply(bufferOf, all, [])])
}

// A list of its own: batches are served one after the other, also while one of them waits for a promise.
let first = null, lastOne = null, busy = false
const serveNext = async () => {
  if (busy) return
  busy = true
  while (first !== null) {
    const { message } = first
    first = first.next
    try { await serve(message) } catch (error) { post('{"broken":true}') }
  }
  busy = false
}

let encoded
scope.onmessage = (event) => {
  scope.onmessage = null
  const { port, codes } = event.data
  post = bind(port.postMessage, port)
  seed = event.data.seed
  encoded = { __proto__: null }
  for (const [stage, code] of codes) encoded[stage] = encodeURIComponent(code)
  port.onmessage = (each) => {
    const next = { __proto__: null, message: apply(dataOf, each, []), next: null }
    if (first === null) first = next
    else lastOne.next = next
    lastOne = next
    serveNext()
  }
  const left = strip()
  post(left === '' ? '{"ready":true}' : '{"left":' + stringify(left) + '}')
}
})()`
