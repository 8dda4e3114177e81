/** A coded picture: when it is shown, in milliseconds, and whether it is a key frame. */
export type CodedFrame = { readonly time: number; readonly key: boolean; readonly bytes: Uint8Array }

export interface FilmTrack {
  readonly codec: 'V_VP9' | 'V_VP8'
  readonly width: number
  readonly height: number
  /** In milliseconds. */
  readonly duration: number
  readonly frames: readonly CodedFrame[]
}

/**
 * Returns a WebM file of one track (Matroska, RFC 9559). Its length is known, and each key frame begins a cluster that the cues point
 * to, so that a player can seek. The first picture must be a key frame.
 */
export function webm({ codec, width, height, duration, frames }: FilmTrack): Blob {
  const header = element(0x1a45dfa3, [
    number(0x4286, 1),
    number(0x42f7, 1),
    number(0x42f2, 4),
    number(0x42f3, 8),
    text(0x4282, 'webm'),
    number(0x4287, 4),
    number(0x4285, 2),
  ])
  const info = element(0x1549a966, [
    number(0x2ad7b1, 1_000_000),
    float(0x4489, duration),
    text(0x4d80, 'Apportion'),
    text(0x5741, 'Apportion'),
  ])
  const track = element(0xae, [
    number(0xd7, 1),
    number(0x73c5, 1),
    number(0x9c, 0),
    number(0x83, 1),
    text(0x86, codec),
    element(0xe0, [number(0xb0, width), number(0xba, height)]),
  ])
  const tracks = element(0x1654ae6b, [track])
  const clusters = clustersOf(frames)
  // A position always takes eight bytes, so that the length of all cues is known before the positions are.
  const cues = (at: (k: number) => number) =>
    element(
      0x1c53bb6b,
      clusters.map(({ time }, k) =>
        element(0xbb, [number(0xb3, time), element(0xb7, [number(0xf7, 1), whole(0xf1, at(k), 8)])]),
      ),
    )
  const before = lengthOf([info, tracks, cues(() => 0)])
  const starts: number[] = []
  let end = before
  for (const { parts } of clusters) {
    starts.push(end)
    end += lengthOf([parts])
  }
  const segment = element(0x18538067, [info, tracks, cues((k) => starts[k]), ...clusters.map(({ parts }) => parts)])
  return new Blob([...header, ...segment], { type: 'video/webm' })
}

function clustersOf(frames: readonly CodedFrame[]): { time: number; parts: Parts }[] {
  const begins = frames.flatMap(({ key }, i) => (key ? [i] : []))
  return begins.map((from, k) => {
    const { time } = frames[from]
    const blocks = frames.slice(from, begins[k + 1]).map((frame) => {
      const since = frame.time - time
      // Track 1; two bytes for the time since the cluster began; whether it is a key frame.
      return element(0xa3, [
        [Uint8Array.of(0x81, since >> 8, since & 0xff, frame.key ? 0x80 : 0), frame.bytes as Uint8Array<ArrayBuffer>],
      ])
    })
    return { time, parts: element(0x1f43b675, [number(0xe7, time), ...blocks]) }
  })
}

type Parts = Uint8Array<ArrayBuffer>[]

/** Returns an element: its id, its length in eight bytes, and its content. */
function element(id: number, inside: readonly Parts[]): Parts {
  const parts = inside.flat()
  const length = lengthOf([parts])
  const size = bigEndian(length, 8)
  size[0] = 0x01
  return [bigEndian(id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1), size, ...parts]
}

function number(id: number, value: number): Parts {
  let bytes = 1
  while (value >= 256 ** bytes) bytes++
  return whole(id, value, bytes)
}

const whole = (id: number, value: number, bytes: number): Parts => element(id, [[bigEndian(value, bytes)]])

const text = (id: number, value: string): Parts => element(id, [[new TextEncoder().encode(value)]])

function float(id: number, value: number): Parts {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value)
  return element(id, [[bytes]])
}

/** Returns a number as big-endian bytes. */
export function bigEndian(value: number, n: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(n)
  for (let i = n - 1, rest = value; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256
  return bytes
}

const lengthOf = (parts: readonly Parts[]): number => parts.flat().reduce((sum, { length }) => sum + length, 0)
