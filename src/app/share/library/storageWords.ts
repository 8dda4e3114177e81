import { t } from '../../../language/translate.ts'

/** Returns why the browser's database failed, in words without a full stop. */
export function failure(error: unknown): string {
  if (typeof indexedDB === 'undefined') return refused()
  if (error instanceof RangeError) return error.message
  switch (error instanceof Error ? error.name : '') {
    case 'QuotaExceededError':
      return t('the room that this browser gives the page is used up')
    case 'VersionError':
      return t('another tab has opened it with a newer version of Apportion; reload this page')
    case 'SecurityError':
    case 'InvalidStateError':
    case 'NotAllowedError':
    case 'ReferenceError':
      return refused()
    default:
      return t('the browser says: {reason}', { reason: error instanceof Error ? error.message : String(error) })
  }
}

function refused(): string {
  return t('this browser lets the page keep nothing, as in a private window or where site data are blocked')
}
