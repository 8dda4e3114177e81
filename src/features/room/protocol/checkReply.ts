import type { BatchOrder, Reply } from '../../../engine/conductor/batchPort.ts'
import { canonicalText, isTile, kernelFunctions, kernelOf, type Payload } from '../../../engine/work/kernels.ts'
import { decodeQoi } from '../../../engine/work/qoi.ts'
import { msg } from '../../../language/msg.ts'
import { type Kernel, recordKernels } from '../../../scenario/model/scenario.ts'

export const UNREADABLE = msg('sent an unreadable message')
export const WRONG = msg('gave a wrong result')
/** A device that cannot do the work, or says so to make jobs fail. */
export const ALONE = msg('failed at work that others can do')

/**
 * Returns why a reply cannot be the answer to an order, or null. It is a promise if something is computed again here to find devices that
 * lie: results of kernels that work on records, and what is said to have thrown. Pictures would cost too much, so only their form is checked.
 */
export function checkReply(
  order: BatchOrder,
  { ended, threw, payloads }: Reply,
): string | null | Promise<string | null> {
  const { work, jobs, failing, payloads: given } = order
  if (threw !== null) return checkThrow(order, threw.job)
  if (failing.length > 0) return WRONG
  if (ended.length !== jobs.length) return UNREADABLE
  if (ended.some((time, k) => time <= ended[k - 1])) return UNREADABLE
  if (given === null || work === 'burn' || work === 'wait' || typeof work === 'object')
    return payloads === null ? null : UNREADABLE
  if (payloads === null || payloads.length !== jobs.length) return UNREADABLE
  if ((recordKernels as readonly Kernel[]).includes(work)) return checkRecords(work, given, payloads)
  return given.every((payload, k) => hasForm(work, payload, payloads[k])) ? null : UNREADABLE
}

/** Work stops at the first job that is to fail. Other jobs throw only in kernels, and those throw here as well. */
function checkThrow(
  { work, jobs, failing, payloads }: BatchOrder,
  job: number,
): string | null | Promise<string | null> {
  const at = jobs.indexOf(job)
  if (at < 0) return UNREADABLE
  const due = jobs.findIndex((each) => failing.includes(each))
  if (at === due) return null
  const kernel = kernelOf(work)
  if (kernel === null || payloads === null || (due >= 0 && at > due)) return WRONG
  return (async () => kernel(payloads[at]))().then(
    () => ALONE,
    () => null,
  )
}

async function checkRecords(work: Kernel, given: readonly Payload[], made: readonly Payload[]): Promise<string | null> {
  try {
    for (const [k, payload] of given.entries()) if (!(await isResult(work, payload, made[k]))) return WRONG
    return null
  } catch {
    return WRONG
  }
}

/** Returns whether `made` is the kernel's result for a record. Rejects if there is none, or `made` cannot be read. */
async function isResult(work: Kernel, given: Payload, made: Payload): Promise<boolean> {
  const right = await kernelFunctions[work](given)
  // Browsers compress the same text to different bytes.
  if (work === 'gzip') return made instanceof Uint8Array && (await unzipped(made)) === (await unzipped(right))
  // The other kernels make records.
  return isRecord(right) && isRecord(made) && canonicalText(right.record) === canonicalText(made.record)
}

function isRecord(payload: Payload): payload is Extract<Payload, { readonly record: unknown }> {
  return typeof payload === 'object' && 'record' in payload
}

async function unzipped(bytes: unknown): Promise<string> {
  return new Response(
    new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip')),
  ).text()
}

/** Returns whether a result has the form of the kernel's result for a tile, whatever its numbers. */
function hasForm(work: Kernel, given: Payload, made: Payload): boolean {
  if (given instanceof Uint8Array || !isTile(given)) return false
  if (made instanceof Uint8Array) return work === 'qoi' && isPicture(made, given.width * given.height)
  if (!isTile(made) || work === 'qoi') return false
  const same = (['width', 'height', 'x', 'y', 'step', 'iterations'] as const).every(
    (field) => made[field] === given[field],
  )
  return same && (work === 'mandelbrot' ? made.counts : made.pixels) !== null
}

function isPicture(bytes: Uint8Array, pixels: number): boolean {
  try {
    return decodeQoi(bytes).length === 4 * pixels
  } catch {
    return false
  }
}
