/** The bounds of a scenario. `parse` refuses values outside, forms offer values inside. */
export const MAX_STAGES = 256
export const MAX_LINKS = 1024
export const MAX_WORKERS = 10_000
/** Real workers are threads, of this machine or of a room. Checked where a run on them starts. */
export const MAX_REAL_WORKERS = 256
export const MAX_JOBS = 1_000_000
/** Services are jobs x stages, plus the retries of jobs that fail. */
export const MAX_SERVICES = 4_000_000
/** A service on threads takes real time, so fewer are allowed. Checked where threads are started. */
export const MAX_SERVICES_ON_THREADS = 200_000
export const MAX_ITEMS = 100_000
/** Clocks stay below 2^52 us (142 years): there a double still holds half microseconds. */
export const CLOCK_END = 4_503_599_627_370_496
export const MAX_MICROS = CLOCK_END - 1
export const MAX_SEED = 4_294_967_295
/** In code points. */
export const MAX_NAME = 80
/** Of a policy's or a stage's own code, in UTF-16 units. */
export const MAX_CODE = 20_000
/** Values in a scenario: how many, how long together as JSON (in UTF-16 units), and how deeply their brackets nest. */
export const MAX_VALUES = 10_000
export const MAX_VALUE_TEXT = 1_000_000
export const MAX_VALUE_DEPTH = 100
export const MAX_BATCH = 10_000
export const MAX_BRANCHES = 5
export const MAX_SLOTS = 1_000_000
export const MAX_PHASES = 64
export const MIN_WEIGHT = 0.000001
export const MAX_WEIGHT = 1_000_000
/** Of jobs, by priority. */
export const MAX_CLASSES = 8
export const MIN_RATE = 0.000001
export const MAX_RATE = 1_000_000
/** Draws of an erlang service: each costs k logarithms. */
export const MAX_ERLANG_K = 100
export const MAX_CV = 100
/** A Pareto distribution has a mean only for alpha above 1. */
export const MIN_ALPHA = 1.01
export const MAX_ALPHA = 1000
export const MAX_TRIES = 100
/** How often a client sends a job again. The wait before doubles at each try. */
export const MAX_RETRIES = 20
export const MAX_WINDOW = 10_000
export const MAX_BY_HAND = 2000
/** The most ticks of a controller in a run, since each is a row of the trace. After them the pools stay as they are. */
export const MAX_TICKS = 10_000_000
/** The greatest share of messages that a network loses, and how often it may lose the same message before it arrives. */
export const MAX_LOSS = 0.99
export const MAX_RESENDS = 100
export const MAX_FEEDERS = 256
/** Steps of a sine or cycles of bursts. The source walks through each, even where no job arrives. */
export const MAX_CYCLES = 10_000_000
export const MAX_SIDE = 4096
export const MIN_TILE = 8
export const MAX_TILE = 1024
/** In the plane: how far the middle may be from 0, and what the width may span. With a smaller span pixels would coincide. */
export const MAX_POINT = 4
export const MIN_SPAN = 0.000_000_000_001
export const MAX_SPAN = 16
export const MAX_ITERATIONS = 100_000
/** Pixels x iterations. A tile then takes about half a second, a whole picture some minutes. */
export const MAX_TILE_STEPS = 100_000_000
export const MAX_PICTURE_STEPS = 100_000_000_000
export const MAX_POSITION = 1_000_000
export const MAX_PROBLEMS = 50
/** Of a scenario as text, in UTF-16 units. */
export const MAX_TEXT = 2_000_000
/** Of a link's fragment. It is read before the page shows anything, so it must be read fast. */
export const MAX_LINK = 1_000_000
/** Of a short link, in characters; and inflated, in bytes. */
export const MAX_SHORT = 65_536
export const MAX_INFLATED = 4_194_304

/** Returns after how long without an answer a message is sent again: twice the round trip, and a millisecond at least. */
export function resendAfter(roundTrip: number): number {
  return Math.max(1000, 2 * roundTrip)
}

export function longestMessages({ roundTrip, loss }: { readonly roundTrip: number; readonly loss: number }): number {
  return roundTrip + (loss > 0 ? 2 * MAX_RESENDS * resendAfter(roundTrip) : 0)
}
