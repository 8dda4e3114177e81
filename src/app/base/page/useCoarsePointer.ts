import { useMedia } from './useMedia.ts'

/** Returns whether the person points with fingers. */
export function useCoarsePointer(): boolean {
  return useMedia('(pointer: coarse)')
}
